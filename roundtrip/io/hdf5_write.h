#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "roundtrip/io/hdf5.h"

namespace roundtrip::hdf5 {

/// An Error unless `status` (an HDF5 identifier or result) is not negative.
void check_write(int64_t status, const std::string& where, std::string_view what);

/// Creates a file whose bytes are a function of what is put into it: no object times, and space for
/// datasets taken at their creation (contiguous, never filled). Its format is that of HDF5 1.8,
/// which has checksums on all metadata, so that a damaged header is noticed instead of believed.
/// Failures name the file.
class Creator {
 public:
  explicit Creator(const std::filesystem::path& path);
  /// A file made here and closed, to add to.
  static Creator reopen(const std::filesystem::path& path);

  hid_t root() const { return file_.get(); }
  Handle group(hid_t parent, const std::string& name) const;
  /// Its space is taken and left as it is.
  Handle dataset(hid_t parent, const std::string& name, hid_t type,
                 const std::vector<int64_t>& shape) const;
  /// A dataset of float32 with these values.
  Handle numbers(hid_t parent, const std::string& name, const std::vector<int64_t>& shape,
                 const std::vector<double>& values) const;
  /// Where in the file, in bytes, the values of a dataset made here lie.
  static int64_t address(hid_t dataset);
  void close();

 private:
  Creator(std::string path, Handle file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  Handle file_;
};

/// HDF5's ENUM of int8 {FALSE = 0, TRUE = 1}, which h5py reads and writes as bool.
Handle bool_type();

/// Attributes in the types h5py gives to str, list[str], bool, list[bool], float and int.
void write_text(hid_t object, const std::string& name, const std::string& value);
void write_texts(hid_t object, const std::string& name, const std::vector<std::string>& values);
void write_flag(hid_t object, const std::string& name, bool value);
void write_flags(hid_t object, const std::string& name, const std::vector<bool>& values);
void write_number(hid_t object, const std::string& name, double value);
void write_integer(hid_t object, const std::string& name, int64_t value);

}  // namespace roundtrip::hdf5
