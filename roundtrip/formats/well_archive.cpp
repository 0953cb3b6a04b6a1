#include "roundtrip/formats/well_archive.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "roundtrip/base/error.h"

// Each struct lists its members once, in `visit`; packing and unpacking walk the same list.

namespace roundtrip {
namespace {

template <class Archive>
void visit(Archive& archive, WellAxis& axis) {
  archive(axis.name, axis.coordinates, axis.sample_varying, axis.time_varying);
}

template <class Archive>
void visit(Archive& archive, WellBoundary& boundary) {
  archive(boundary.name, boundary.type, boundary.axes, boundary.fields, boundary.sample_varying,
          boundary.time_varying, boundary.mask);
}

template <class Archive>
void visit(Archive& archive, WellScalar& scalar) {
  archive(scalar.name, scalar.sample_varying, scalar.time_varying, scalar.values);
}

template <class Archive>
void visit(Archive& archive, WellField& field) {
  archive(field.name, field.order, field.sample_varying, field.time_varying, field.dim_varying,
          field.symmetric, field.antisymmetric);
}

template <class Archive, class First, class Second>
void visit(Archive& archive, std::pair<First, Second>& pair) {
  archive(pair.first, pair.second);
}

template <class Archive>
void visit(Archive& archive, WellContents& contents) {
  WellHeader& header = contents.header;
  archive(header.dataset_name, header.grid_type, header.n_trajectories, header.parameters,
          header.time, header.axes, header.boundaries, header.scalars, header.fields, header.notes,
          contents.addresses);
}

class Packer {
 public:
  void operator()(auto&... items) { (put(items), ...); }
  std::string bytes;

 private:
  template <class Item>
  void put(Item& item) {
    if constexpr (std::is_arithmetic_v<Item>) {
      bytes.append(reinterpret_cast<const char*>(&item), sizeof item);
    } else {
      visit(*this, item);
    }
  }
  void put(std::string& text) {
    put_size(text.size());
    bytes += text;
  }
  template <class Item>
  void put(std::vector<Item>& items) {
    put_size(items.size());
    for (Item item : items) put(item);
  }
  void put_size(size_t size) { put(size); }
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  void operator()(auto&... items) { (get(items), ...); }

 private:
  template <class Item>
  void get(Item& item) {
    if constexpr (std::is_arithmetic_v<Item>) {
      std::memcpy(&item, take(sizeof item).data(), sizeof item);
    } else {
      visit(*this, item);
    }
  }
  void get(std::string& text) { text = take(get_size()); }
  template <class Item>
  void get(std::vector<Item>& items) {
    const size_t size = get_size();
    items.clear();
    for (size_t i = 0; i < size; ++i) {
      Item item{};
      get(item);
      items.push_back(std::move(item));
    }
  }
  size_t get_size() {
    size_t size = 0;
    get(size);
    return size;
  }
  std::string_view take(size_t count) {
    ensure(count <= bytes_.size(), "a packed header that ends early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

}  // namespace

std::string pack(const std::vector<WellContents>& files) {
  std::vector<WellContents> copy = files;
  Packer packer;
  packer(copy);
  return std::move(packer.bytes);
}

std::vector<WellContents> unpack(std::string_view bytes) {
  std::vector<WellContents> files;
  Unpacker unpacker(bytes);
  unpacker(files);
  return files;
}

}  // namespace roundtrip
