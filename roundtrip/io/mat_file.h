#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace roundtrip {

/// One variable of a MAT file.
struct MatVariable {
  std::string name;
  std::string type;           // MATLAB's class: "single", "double", "char", "cell"
  std::vector<int64_t> dims;  // MATLAB's order: the first index runs fastest in the file

  /// Real numbers of single or double precision.
  bool is_floating() const { return type == "single" || type == "double"; }
  /// "u single (1200, 64, 64, 20)".
  std::string shown() const;
};

/// Receives plane k of an array as floats [d2][d1][count]: the first index is still the fastest.
using PlaneSink = std::function<void(int64_t plane, std::span<const float> values)>;

/// A MAT file of level 5 or 7.3 open for reading: its list of variables, and slices of the
/// floating-point ones. Every size has been checked against the bytes that are there, so a caller
/// may allocate what the dimensions ask for. Reading is thread-safe.
class MatFile {
 public:
  virtual ~MatFile() = default;

  virtual const std::vector<MatVariable>& variables() const = 0;

  /// Reads rows [first, first + count) of a floating-point variable with dimensions (d0, d1, d2) or
  /// (d0, d1, d2, d3), plane by plane: k runs over d3. Takes the memory of one plane, or of
  /// 64 MB of planes where level 7.3 is chunked.
  virtual void read_planes(const MatVariable& variable, int64_t first, int64_t count,
                           const PlaneSink& sink) const = 0;

  /// All values of a floating-point variable, first index fastest.
  virtual std::vector<double> read_values(const MatVariable& variable) const = 0;
};

/// Opens a MAT file of either level; an Error when it is neither, cut short or damaged.
std::unique_ptr<MatFile> open_mat_file(const std::filesystem::path& path);

}  // namespace roundtrip
