#include "roundtrip/evaluation/cells.h"

#include <cmath>
#include <utility>

namespace roundtrip {

TableCell word(std::string text) {
  TableCell cell;
  cell.text = std::move(text);
  return cell;
}

TableCell number(std::optional<double> ours, std::optional<Interval> interval) {
  TableCell cell;
  if (!ours || !std::isfinite(*ours)) {
    cell.text = std::string("-");  // g++ 12 warns of an assignment from a literal
    return cell;
  }
  cell.ours = ours;
  if (interval && std::isfinite(interval->low) && std::isfinite(interval->high)) {
    cell.interval = CellInterval{interval->low, interval->high};
  }
  return cell;
}

TableCell number(const Estimate& ours) { return number(ours.value, ours.interval); }

TableCell quoted(double paper) {
  TableCell cell = word("-");
  cell.paper = paper;
  return cell;
}

TableCell count(int64_t value) { return word(std::to_string(value)); }

}  // namespace roundtrip
