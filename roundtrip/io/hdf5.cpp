#include "roundtrip/io/hdf5.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/inflation.h"

namespace roundtrip::hdf5 {
namespace {

// A list of names or flags in a header is short; a longer one is a damaged length.
constexpr hssize_t kMostAttributeValues = 1 << 16;
// A text may be a whole configuration.
constexpr size_t kMostTextBytes = size_t{1} << 24;
// What nobody wrote of a dataset reads as its fill value; above this, a few bytes would declare
// more than a machine holds.
constexpr uint64_t kMostUnwrittenBytes = uint64_t{1} << 30;

std::recursive_mutex& mutex() {
  static std::recursive_mutex instance;
  return instance;
}

[[noreturn]] void fail(const std::string& where, std::string_view what) {
  throw Error("hdf5",
              fmt::format("{}: {}; the file is damaged or not of this format", where, what));
}

herr_t take_first(unsigned, const H5E_error2_t* error, void* text) {
  auto& first = *static_cast<std::string*>(text);
  if (first.empty() && error->desc != nullptr) first = error->desc;
  return 0;
}

herr_t collect_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t collect_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// Opens a child whatever its kind, but nothing in other files: the addresses of what lies there
/// mean something else in this one, and a data file does not get to choose what else is opened.
struct OpenedChild {
  Handle object;
  std::string other_file;  // that a link on the way names
  std::string reason;      // why there is none
};

herr_t refuse_other_file(const char*, const char*, const char* other_file, const char*, unsigned*,
                         hid_t, void* name) {
  *static_cast<std::string*>(name) = other_file;
  return -1;
}

OpenedChild open_child(hid_t parent, const std::string& name) {
  OpenedChild child;
  const Handle access(H5Pcreate(H5P_LINK_ACCESS));
  if (H5Pset_elink_cb(access.get(), refuse_other_file, &child.other_file) < 0) return child;
  child.object = Handle(H5Oopen(parent, name.c_str(), access.get()));
  // Told now: closing the access list forgets it.
  if (!child.object) child.reason = reason();
  return child;
}

[[noreturn]] void fail_elsewhere(const std::string& where, std::string_view found) {
  throw Error("hdf5", fmt::format("{}: expected values inside this file, found {}; copy them in, "
                                  "with h5py: copy(..., expand_external=True) or numpy arrays",
                                  where, found));
}

const char* class_name(H5T_class_t type_class) {
  switch (type_class) {
    case H5T_INTEGER:
      return "integers";
    case H5T_FLOAT:
      return "numbers";
    case H5T_STRING:
      return "strings";
    case H5T_ENUM:
      return "enumerated values";
    case H5T_COMPOUND:
      return "compound values";
    default:
      return "values of another type";
  }
}

bool holds_numbers(hid_t type) {
  const H5T_class_t type_class = H5Tget_class(type);
  return type_class == H5T_INTEGER || type_class == H5T_FLOAT;
}

bool holds_booleans(hid_t type) {
  const H5T_class_t type_class = H5Tget_class(type);
  return type_class == H5T_INTEGER || type_class == H5T_ENUM;
}

std::vector<hsize_t> extents_of(hid_t space) {
  std::vector<hsize_t> extents(static_cast<size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return extents;
}

// How many values there are; -1 when unreadable, INT64_MAX when the product of the extents would
// overflow (HDF5's own count wraps around, so that 2^32 x 2^32 values look like none).
int64_t points_of(hid_t space) {
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind == H5S_NO_CLASS) return -1;
  if (kind == H5S_NULL) return 0;
  const std::vector<hsize_t> extents = extents_of(space);
  if (std::count(extents.begin(), extents.end(), 0) > 0) return 0;
  uint64_t points = 1;
  for (const hsize_t extent : extents) {
    if (extent > uint64_t{INT64_MAX} / points) return INT64_MAX;
    points *= extent;
  }
  return static_cast<int64_t>(points);
}

// Values read in their own type are true when any of their bytes is not zero, in any byte order.
std::vector<uint8_t> any_byte(const std::vector<unsigned char>& bytes, size_t size) {
  std::vector<uint8_t> values;
  for (size_t at = 0; at < bytes.size(); at += size) {
    values.push_back(std::any_of(bytes.begin() + at, bytes.begin() + at + size,
                                 [](unsigned char byte) { return byte != 0; }));
  }
  return values;
}

std::vector<std::string> read_variable_texts(hid_t attribute, hid_t type, size_t count,
                                             bool& good) {
  const Handle memory_type = text_type(H5Tget_cset(type));
  std::vector<char*> pointers(count, nullptr);
  good = H5Aread(attribute, memory_type.get(), pointers.data()) >= 0;
  std::vector<std::string> values;
  for (const char* pointer : pointers) values.emplace_back(pointer == nullptr ? "" : pointer);
  const Handle space(H5Aget_space(attribute));
  if (good) H5Dvlen_reclaim(memory_type.get(), space.get(), H5P_DEFAULT, pointers.data());
  return values;
}

std::vector<std::string> read_fixed_texts(hid_t attribute, hid_t type, size_t count, bool& good) {
  const size_t size = H5Tget_size(type);
  good = size > 0 && size <= kMostTextBytes / count;
  if (!good) return {};
  std::vector<char> bytes(count * size);
  good = H5Aread(attribute, type, bytes.data()) >= 0;
  std::vector<std::string> values;
  for (size_t i = 0; i < count; ++i) {
    std::string value(bytes.data() + i * size, size);
    // Padding is zeros or, from Fortran, blanks.
    const char padding = H5Tget_strpad(type) == H5T_STR_SPACEPAD ? ' ' : '\0';
    value.resize(padding == ' ' ? value.find_last_not_of(' ') + 1
                                : std::min(value.find('\0'), size));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace

Handle text_type(H5T_cset_t characters) {
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), characters);
  return type;
}

Lock::Lock() : guard_(mutex()) {
  // In thread-safe builds every thread has an error stack, and a switch, of its own.
  thread_local bool quiet = false;
  if (!std::exchange(quiet, true)) H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

bool Handle::reset() {
  const hid_t id = std::exchange(id_, H5I_INVALID_HID);
  if (id < 0) return true;
  const Lock lock;
  return H5Idec_ref(id) >= 0;
}

std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
  return text.empty() ? "no reason given" : text;
}

Object::Object(Handle handle, std::string where, bool is_file)
    : handle_(std::move(handle)), where_(std::move(where)), is_file_(is_file) {}

Object Object::open_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw Error(
        "hdf5",
        fmt::format("{}: expected an HDF5 file, found {}; check the path", path.string(),
                    std::filesystem::exists(path, ignored) ? "no regular file" : "nothing"));
  }
  const Lock lock;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access.get(), /*use_file_locking=*/false, /*ignore_when_disabled=*/true);
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
  if (!file) {
    throw Error("hdf5", fmt::format("{}: expected an HDF5 file, found one that cannot be opened "
                                    "({}); download or generate it again",
                                    path.string(), reason()));
  }
  return {std::move(file), path.string(), true};
}

std::string Object::where(std::string_view child) const {
  return fmt::format("{}{}{}", where_, is_file_ ? ":/" : "/", child);
}

Object Object::open(const std::string& name, H5O_type_t type, const char* kind) const {
  const Lock lock;
  OpenedChild child = open_child(id(), name);
  if (!child.other_file.empty()) {
    fail_elsewhere(where(name), fmt::format("a link into {}", child.other_file));
  }
  const hid_t opened = child.object.get();
  if (opened < 0)
    fail(where(name), fmt::format("expected a {}, found none ({})", kind, child.reason));
  H5O_info_t info;
  if (H5Oget_info2(opened, &info, H5O_INFO_BASIC) < 0 || info.type != type) {
    fail(where(name), fmt::format("expected a {}, found another kind of object", kind));
  }
  return {std::move(child.object), where(name), false};
}

Kind Object::kind_of(const std::string& name) const {
  const Lock lock;
  const OpenedChild child = open_child(id(), name);
  if (!child.other_file.empty()) return Kind::link_to_other_file;
  if (!child.object) return Kind::broken_link;
  H5O_info_t info;
  if (H5Oget_info2(child.object.get(), &info, H5O_INFO_BASIC) < 0) return Kind::other;
  if (info.type == H5O_TYPE_DATASET) return Kind::dataset;
  return info.type == H5O_TYPE_GROUP ? Kind::group : Kind::other;
}

Object Object::group(const std::string& name) const { return open(name, H5O_TYPE_GROUP, "group"); }

Object Object::dataset(const std::string& name) const {
  Object opened = open(name, H5O_TYPE_DATASET, "dataset");
  opened.expect_inside();
  return opened;
}

void Object::expect_inside() const {
  const Lock lock;
  const Handle creation(H5Dget_create_plist(id()));
  if (H5Pget_layout(creation.get()) == H5D_VIRTUAL) {
    fail_elsewhere(where_, "a virtual dataset");
  }
  // HDF5 counts files of raw values for contiguous datasets only; of others there are none.
  if (H5Pget_external_count(creation.get()) > 0) {
    fail_elsewhere(where_, "values in a file beside it");
  }
}

std::vector<std::string> Object::children() const {
  const Lock lock;
  std::vector<std::string> names;
  hsize_t position = 0;
  if (H5Literate(id(), H5_INDEX_NAME, H5_ITER_INC, &position, collect_link, &names) < 0) {
    fail(where_, fmt::format("expected a readable group ({})", reason()));
  }
  return names;
}

bool Object::has_attribute(const std::string& name) const {
  const Lock lock;
  return H5Aexists(id(), name.c_str()) > 0;
}

std::vector<std::string> Object::text_attributes() const {
  const Lock lock;
  std::vector<std::string> names;
  hsize_t position = 0;
  if (H5Aiterate2(id(), H5_INDEX_NAME, H5_ITER_INC, &position, collect_attribute, &names) < 0) {
    fail(where_, fmt::format("expected readable attributes ({})", reason()));
  }
  std::erase_if(names, [&](const std::string& name) {
    const Handle handle(H5Aopen(id(), name.c_str(), H5P_DEFAULT));
    if (!handle) return true;
    const Handle type(H5Aget_type(handle.get()));
    const Handle space(H5Aget_space(handle.get()));
    return H5Tget_class(type.get()) != H5T_STRING ||
           H5Sget_simple_extent_type(space.get()) != H5S_SCALAR;
  });
  return names;
}

Handle Object::attribute(const std::string& name, const char* expected) const {
  if (!has_attribute(name)) {
    fail(where_, fmt::format("expected attribute {} ({}), found none", name, expected));
  }
  Handle handle(H5Aopen(id(), name.c_str(), H5P_DEFAULT));
  const Handle space(handle ? H5Aget_space(handle.get()) : H5I_INVALID_HID);
  const int64_t points = points_of(space.get());
  if (points < 0) {
    fail(where_,
         fmt::format("attribute {}: expected {}, cannot read it ({})", name, expected, reason()));
  }
  if (points > kMostAttributeValues) {
    fail(where_, fmt::format("attribute {}: expected {}, found {} values", name, expected, points));
  }
  return handle;
}

std::vector<std::string> Object::texts(const std::string& name) const {
  return texts(name, "a list of strings");
}

std::vector<std::string> Object::texts(const std::string& name, const char* expected) const {
  const Lock lock;
  const Handle handle = attribute(name, expected);
  const Handle type(H5Aget_type(handle.get()));
  const Handle space(H5Aget_space(handle.get()));
  const auto count = static_cast<size_t>(points_of(space.get()));
  if (count == 0) return {};
  if (H5Tget_class(type.get()) != H5T_STRING) {
    fail(where_, fmt::format("attribute {}: expected strings, found {}", name,
                             class_name(H5Tget_class(type.get()))));
  }
  bool good = false;
  std::vector<std::string> values = H5Tis_variable_str(type.get()) > 0
                                        ? read_variable_texts(handle.get(), type.get(), count, good)
                                        : read_fixed_texts(handle.get(), type.get(), count, good);
  if (!good) {
    fail(where_, fmt::format("attribute {}: its strings cannot be read ({})", name, reason()));
  }
  return values;
}

std::string Object::text(const std::string& name) const {
  std::vector<std::string> values = texts(name, "a string");
  if (values.size() != 1) {
    fail(where_, fmt::format("attribute {}: expected one string, found {}", name, values.size()));
  }
  return std::move(values.front());
}

std::vector<uint8_t> Object::attribute_booleans(const std::string& name,
                                                const char* expected) const {
  const Lock lock;
  const Handle handle = attribute(name, expected);
  const Handle type(H5Aget_type(handle.get()));
  const Handle space(H5Aget_space(handle.get()));
  if (!holds_booleans(type.get())) {
    fail(where_, fmt::format("attribute {}: expected {}, found {}", name, expected,
                             class_name(H5Tget_class(type.get()))));
  }
  const size_t size = H5Tget_size(type.get());
  std::vector<unsigned char> bytes(static_cast<size_t>(points_of(space.get())) * size);
  if (H5Aread(handle.get(), type.get(), bytes.data()) < 0) {
    fail(where_, fmt::format("attribute {}: cannot be read ({})", name, reason()));
  }
  return any_byte(bytes, size);
}

bool Object::flag(const std::string& name) const {
  const std::vector<uint8_t> values = attribute_booleans(name, "true or false");
  if (values.size() != 1) {
    fail(where_,
         fmt::format("attribute {}: expected true or false, found {} values", name, values.size()));
  }
  return values.front() != 0;
}

std::vector<bool> Object::flags(const std::string& name) const {
  const std::vector<uint8_t> values = attribute_booleans(name, "a list of true or false");
  return {values.begin(), values.end()};
}

double Object::number(const std::string& name) const {
  const Lock lock;
  const Handle handle = attribute(name, "a number");
  const Handle type(H5Aget_type(handle.get()));
  const Handle space(H5Aget_space(handle.get()));
  if (!holds_numbers(type.get()) || points_of(space.get()) != 1) {
    fail(where_, fmt::format("attribute {}: expected one number, found {} {}", name,
                             points_of(space.get()), class_name(H5Tget_class(type.get()))));
  }
  double value = 0;
  if (H5Aread(handle.get(), H5T_NATIVE_DOUBLE, &value) < 0) {
    fail(where_, fmt::format("attribute {}: cannot be read ({})", name, reason()));
  }
  return value;
}

std::optional<std::vector<double>> Object::attribute_numbers(const std::string& name) const {
  const Lock lock;
  const Handle handle = attribute(name, "a number");
  const Handle type(H5Aget_type(handle.get()));
  if (H5Tget_class(type.get()) == H5T_ENUM) {
    const std::vector<uint8_t> values = attribute_booleans(name, "a number");
    return std::vector<double>(values.begin(), values.end());
  }
  if (!holds_numbers(type.get())) return std::nullopt;
  const Handle space(H5Aget_space(handle.get()));
  std::vector<double> values(static_cast<size_t>(points_of(space.get())));
  if (H5Aread(handle.get(), H5T_NATIVE_DOUBLE, values.data()) < 0) {
    fail(where_, fmt::format("attribute {}: cannot be read ({})", name, reason()));
  }
  return values;
}

int64_t Object::integer(const std::string& name) const {
  const double value = number(name);
  // Above 2^53 a double skips integers; no count of ours comes near.
  if (value != std::floor(value) || std::abs(value) > 9007199254740992.0) {
    fail(where_, fmt::format("attribute {}: expected an integer, found {}", name, value));
  }
  return static_cast<int64_t>(value);
}

std::vector<int64_t> Object::shape() const {
  const Lock lock;
  const Handle space(H5Dget_space(id()));
  if (points_of(space.get()) < 0) {
    fail(where_, fmt::format("its shape cannot be read ({})", reason()));
  }
  const std::vector<hsize_t> extents = extents_of(space.get());
  for (const hsize_t extent : extents) {
    if (extent > hsize_t{INT64_MAX}) fail(where_, fmt::format("a dimension of size {}", extent));
  }
  return {extents.begin(), extents.end()};
}

void Object::expect_numbers() const {
  const Lock lock;
  const Handle type(H5Dget_type(id()));
  if (holds_numbers(type.get())) return;
  fail(where_, fmt::format("expected numbers, found {}", class_name(H5Tget_class(type.get()))));
}

std::vector<double> Object::numbers(int64_t limit) const {
  const Lock lock;
  expect_numbers();
  const Handle space(H5Dget_space(id()));
  const int64_t count = points_of(space.get());
  if (count < 0 || count > limit) {
    fail(where_, fmt::format("expected at most {} numbers, found shape {}", limit, shape()));
  }
  std::vector<double> values(static_cast<size_t>(count));
  if (H5Dread(id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail(where_, fmt::format("its values cannot be read ({})", reason()));
  }
  return values;
}

void Object::read_block(const std::vector<int64_t>& offsets, const std::vector<int64_t>& extents,
                        hid_t type, void* values) const {
  const Lock lock;
  const std::vector<hsize_t> start(offsets.begin(), offsets.end());
  const std::vector<hsize_t> count(extents.begin(), extents.end());
  const int rank = static_cast<int>(count.size());
  const Handle memory(rank == 0 ? H5Screate(H5S_SCALAR)
                                : H5Screate_simple(rank, count.data(), nullptr));
  const Handle space(H5Dget_space(id()));
  ensure(H5Sget_simple_extent_ndims(space.get()) == rank, "a block of another rank");
  const bool good = (rank == 0 || H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(),
                                                      nullptr, count.data(), nullptr) >= 0) &&
                    H5Dread(id(), type, memory.get(), space.get(), H5P_DEFAULT, values) >= 0;
  if (!good) fail(where_, fmt::format("its values cannot be read ({})", reason()));
}

int64_t Object::plain_address(hid_t expected) const {
  const Lock lock;
  const Handle type(H5Dget_type(id()));
  const Handle space(H5Dget_space(id()));
  const Handle creation(H5Dget_create_plist(id()));
  if (H5Pget_layout(creation.get()) != H5D_CONTIGUOUS ||
      H5Pget_external_count(creation.get()) != 0 || H5Tequal(type.get(), expected) <= 0) {
    return -1;
  }
  const haddr_t address = H5Dget_offset(id());
  const int64_t points = points_of(space.get());
  // Bounded so that no later sum of addresses overflows.
  constexpr int64_t kMost = int64_t{1} << 60;
  if (address == HADDR_UNDEF || address > uint64_t{kMost} || points < 0 || points > kMost ||
      H5Dget_storage_size(id()) != static_cast<uint64_t>(points) * H5Tget_size(expected)) {
    return -1;
  }
  return static_cast<int64_t>(address);
}

void Object::expect_storage() const {
  const Lock lock;
  const Handle type(H5Dget_type(id()));
  const Handle space(H5Dget_space(id()));
  uint64_t bytes = 0;
  const bool counted = !__builtin_mul_overflow(static_cast<uint64_t>(points_of(space.get())),
                                               uint64_t{H5Tget_size(type.get())}, &bytes);
  const uint64_t stored = H5Dget_storage_size(id());
  if (counted && (bytes <= kMostUnwrittenBytes || bytes / kMostInflation <= stored)) return;
  fail(where_, fmt::format("expected its values in the file, found {} bytes for shape {}", stored,
                           shape()));
}

std::vector<uint8_t> Object::booleans(int64_t limit) const {
  const Lock lock;
  const Handle type(H5Dget_type(id()));
  const Handle space(H5Dget_space(id()));
  if (!holds_booleans(type.get())) {
    fail(where_, fmt::format("expected booleans, found {}", class_name(H5Tget_class(type.get()))));
  }
  const int64_t count = points_of(space.get());
  const size_t size = H5Tget_size(type.get());
  if (count < 0 || count > limit || size > sizeof(int64_t)) {
    fail(where_, fmt::format("expected at most {} booleans, found shape {}", limit, shape()));
  }
  std::vector<unsigned char> bytes(static_cast<size_t>(count) * size);
  if (H5Dread(id(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) {
    fail(where_, fmt::format("its values cannot be read ({})", reason()));
  }
  return any_byte(bytes, size);
}

}  // namespace roundtrip::hdf5
