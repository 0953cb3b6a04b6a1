#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "roundtrip/io/reader_messages.h"

// The side of roundtrip-reader, the program.

namespace roundtrip {

/// The descriptor its socket is at when it begins.
inline constexpr int kReaderSocket = 3;

/// What it can be asked for, by name: packed arguments to packed result.
using ReaderTasks =
    std::map<std::string, std::function<std::string(std::string_view)>, std::less<>>;

/// Does what a request asks, here and now. Nothing when an exception that is neither an Error nor a
/// Bug ended it, as when a damaged size asks for more memory than there is.
std::optional<ReaderReply> run_task(const ReaderTasks& tasks, const ReaderRequest& request);

/// The main function of the program: serves requests, each within its limits on time and memory,
/// until whoever started it closes the socket or dies. Started by hand it says what it is.
int run_reader(int argc, char** argv, const ReaderTasks& tasks);

}  // namespace roundtrip
