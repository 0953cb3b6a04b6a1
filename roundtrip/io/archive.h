#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "roundtrip/base/error.h"

// Records as bytes for another process of the same version, and back. Each record lists its members
// once, in a function `visit(archive, record)` in this namespace that calls `archive(members...)`;
// packing and unpacking walk the same list.

namespace roundtrip {

template <class Archive, class First, class Second>
void visit(Archive& archive, std::pair<First, Second>& pair) {
  archive(pair.first, pair.second);
}

// Vectors of these are packed as they are in memory. (Those of bool have no memory of their own.)
template <class Item>
inline constexpr bool kInOneRun = std::is_arithmetic_v<Item> && !std::is_same_v<Item, bool>;

class Packer {
 public:
  void operator()(auto&... items) { (put(items), ...); }
  std::string bytes;

 private:
  template <class Item>
  void put(Item& item) {
    if constexpr (std::is_arithmetic_v<Item> || std::is_enum_v<Item>) {
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
    if constexpr (kInOneRun<Item>) {
      bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
    } else {
      for (Item item : items) put(item);
    }
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
    if constexpr (std::is_arithmetic_v<Item> || std::is_enum_v<Item>) {
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
    if constexpr (kInOneRun<Item>) {
      ensure(size <= bytes_.size() / sizeof(Item), "packed bytes that end early");
      items.resize(size);
      const std::string_view run = take(size * sizeof(Item));
      if (size > 0) std::memcpy(items.data(), run.data(), run.size());
      return;
    }
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
    ensure(count <= bytes_.size(), "packed bytes that end early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

template <class Record>
std::string pack_bytes(Record record) {
  Packer packer;
  packer(record);
  return std::move(packer.bytes);
}

template <class Record>
Record unpack_bytes(std::string_view bytes) {
  Record record;
  Unpacker unpacker(bytes);
  unpacker(record);
  return record;
}

}  // namespace roundtrip
