#pragma once

#include <array>
#include <string_view>

namespace roundtrip {

/// The parts of a dataset, by trajectory, never by window. Training and normalisation see `train`,
/// checkpoints and every choice of a hyper-parameter `selection`, calibrators `calibration`; `test`
/// is read by final scoring alone.
enum class Split { train, selection, calibration, test };

inline constexpr std::array kSplits{Split::train, Split::selection, Split::calibration,
                                    Split::test};

/// "train", "selection", "calibration" or "test".
std::string_view split_name(Split split);

/// The split of that name; an Error that lists the names when there is none.
Split parse_split(std::string_view name);

}  // namespace roundtrip
