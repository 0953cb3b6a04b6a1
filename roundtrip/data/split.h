#pragma once

#include <array>
#include <string_view>

namespace roundtrip {

/// The parts of a dataset, by trajectory, never by window. Training and normalisation see `train`,
/// checkpoints and every choice of a hyper-parameter `selection`, calibrators `calibration`; `test`
/// is read by final scoring alone. `other` holds trajectories unlike those of the training (another
/// person, say), read by evaluation out of distribution alone; most datasets have none.
enum class Split { train, selection, calibration, test, other };

inline constexpr std::array kSplits{Split::train, Split::selection, Split::calibration, Split::test,
                                    Split::other};

/// "train", "selection", "calibration", "test" or "other".
std::string_view split_name(Split split);

/// The split of that name; an Error that lists the names when there is none.
Split parse_split(std::string_view name);

}  // namespace roundtrip
