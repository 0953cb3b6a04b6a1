#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace roundtrip {

/// A SHA-256 that tells datasets apart without reading them whole: of the name (relative to
/// `folder`), size, first and last 4 KB of every file, in the given order. Where the dataset lies
/// does not show in it; a change in the middle of a file that keeps its size does not either.
std::string digest_of_files(const std::filesystem::path& folder,
                            const std::vector<std::filesystem::path>& files);

}  // namespace roundtrip
