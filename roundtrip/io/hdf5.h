#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hdf5.h>

/// A thin layer over the HDF5 C API: handles that close themselves, one lock, and failures that
/// become one Error line naming file, object, expectation and finding.
namespace roundtrip::hdf5 {

/// The one lock for all HDF5 calls of this process, also those made through other libraries
/// (HDF5 builds need not be thread-safe). Everything below takes it by itself and a thread may hold
/// several, so take one only to keep calls together. HDF5's own printing of errors is off from the
/// first one of a thread.
class Lock {
 public:
  Lock();

 private:
  std::lock_guard<std::recursive_mutex> guard_;
};

/// Owns an HDF5 identifier of any kind.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { reset(); }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Closes now; false when HDF5 reports a failure (a flush that found the disk full).
  bool reset();

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// The innermost message of the last failed HDF5 call of this thread.
std::string reason();

/// What a link of a group leads to.
enum class Kind { group, dataset, link_to_other_file, broken_link, other };

/// An open file, group or dataset that knows where it is: "a.hdf5:/t0_fields". Every reader throws
/// an Error that names this place when the thing is missing or of another type.
class Object {
 public:
  /// Opens a file for reading, without file locks (many shared disks have none).
  static Object open_file(const std::filesystem::path& path);

  hid_t id() const { return handle_.get(); }
  const std::string& where() const { return where_; }

  /// "a.hdf5:/t0_fields/density": where a child is.
  std::string where(std::string_view child) const;
  /// What is inside this file; an Error for a link into another one, which is never opened.
  Object group(const std::string& name) const;
  /// The same for a dataset whose values are in this file: none put together from other datasets
  /// (virtual), none stored in files beside it.
  Object dataset(const std::string& name) const;
  /// What a child is, whether or not it can be opened.
  Kind kind_of(const std::string& name) const;
  /// Names of the links of a group, sorted.
  std::vector<std::string> children() const;

  bool has_attribute(const std::string& name) const;
  /// Names of all attributes whose value is a single string, sorted.
  std::vector<std::string> text_attributes() const;
  std::string text(const std::string& name) const;
  /// A list of strings; also a single string, and an empty list of any type as h5py writes [].
  std::vector<std::string> texts(const std::string& name) const;
  /// A boolean as h5py writes it, or any integer.
  bool flag(const std::string& name) const;
  std::vector<bool> flags(const std::string& name) const;
  double number(const std::string& name) const;
  int64_t integer(const std::string& name) const;
  /// One or more numbers, or booleans as 0 and 1; nothing when it holds something else.
  std::optional<std::vector<double>> attribute_numbers(const std::string& name) const;

  /// Of a dataset; empty for a single value.
  std::vector<int64_t> shape() const;
  /// An Error unless the dataset holds integers or floating-point numbers.
  void expect_numbers() const;
  /// All values of a dataset; an Error, before any memory is taken, when there are more than limit.
  std::vector<double> numbers(int64_t limit) const;
  /// The block of `extents` values at `offsets`, converted to `type` (H5T_NATIVE_FLOAT).
  void read_block(const std::vector<int64_t>& offsets, const std::vector<int64_t>& extents,
                  hid_t type, void* values) const;
  /// Where a dataset's values lie in the file, when they lie there as one run of this type
  /// (H5T_IEEE_F32LE), [shape] in row-major order; -1 otherwise.
  int64_t plain_address(hid_t type) const;
  /// An Error unless the values the dataset declares are there: at most 1 GB, part of which may
  /// never have been written, or what compression could have squeezed into its bytes.
  void expect_storage() const;
  /// All booleans or integers of a dataset: 1 where not zero.
  std::vector<uint8_t> booleans(int64_t limit) const;

 private:
  Object(Handle handle, std::string where, bool is_file);
  Object open(const std::string& name, H5O_type_t type, const char* kind) const;
  void expect_inside() const;
  Handle attribute(const std::string& name, const char* expected) const;
  std::vector<std::string> texts(const std::string& name, const char* expected) const;
  std::vector<uint8_t> attribute_booleans(const std::string& name, const char* expected) const;

  Handle handle_;
  std::string where_;
  bool is_file_ = false;
};

/// The type of a string of any length.
Handle text_type(H5T_cset_t characters);

}  // namespace roundtrip::hdf5
