// The header is parsed event by event into the few states it may be in, so that nesting, repeated
// keys and wrong types are refused where they occur and memory follows the file's size.
// Format: https://github.com/huggingface/safetensors, README "Format".
#include "roundtrip/io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/error.h"
#include "roundtrip/base/json_text.h"

namespace roundtrip {
namespace {

using nlohmann::json;

struct TypeRow {
  std::string_view name;
  int64_t size;
};

// One row per TensorType, in its order.
constexpr std::array<TypeRow, 15> kTypes = {{{"BOOL", 1},
                                             {"U8", 1},
                                             {"I8", 1},
                                             {"F8_E5M2", 1},
                                             {"F8_E4M3", 1},
                                             {"I16", 2},
                                             {"U16", 2},
                                             {"F16", 2},
                                             {"BF16", 2},
                                             {"I32", 4},
                                             {"U32", 4},
                                             {"F32", 4},
                                             {"F64", 8},
                                             {"I64", 8},
                                             {"U64", 8}}};

// A name from the file as it may stand in a message: short, one line, valid UTF-8.
std::string shown(std::string_view text) {
  constexpr size_t kShown = 80;
  const bool cut = text.size() > kShown;
  return json(text.substr(0, kShown)).dump(-1, ' ', true, json::error_handler_t::replace) +
         (cut ? "..." : "");
}

// The product of the shape times the element size, or nothing when it overflows.
std::optional<uint64_t> bytes_of(const TensorInfo& tensor) {
  uint64_t bytes = static_cast<uint64_t>(element_size(tensor.type));
  for (const int64_t length : tensor.shape) {
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(length), &bytes)) return std::nullopt;
  }
  return bytes;
}

class HeaderParser : public nlohmann::json_sax<json> {
 public:
  HeaderParser(SafetensorsHeader& header, const std::string& where)
      : header_(header), where_(where) {}

  bool start_object(size_t) override {
    switch (state_) {
      case State::before:
        state_ = State::names;
        return true;
      case State::entry:
        state_ = is_metadata_ ? State::metadata : State::fields;
        return true;
      default:
        return unexpected("an object");
    }
  }

  bool key(string_t& text) override {
    key_ = text;
    switch (state_) {
      case State::names:
        begin_entry(text);
        return true;
      case State::metadata:
        if (header_.metadata.contains(text)) fail(fmt::format("key {} twice", shown(text)));
        return true;
      default:
        begin_field(text);
        return true;
    }
  }

  bool end_object() override {
    switch (state_) {
      case State::metadata:
        state_ = State::names;
        return true;
      case State::fields:
        end_entry();
        return true;
      default:
        state_ = State::after;
        return true;
    }
  }

  bool start_array(size_t) override {
    if (state_ != State::shape_value && state_ != State::offsets_value) {
      return unexpected("a list");
    }
    state_ = state_ == State::shape_value ? State::shape : State::offsets;
    return true;
  }

  bool end_array() override {
    if (state_ == State::offsets && offsets_.size() != 2) {
      fail(fmt::format("data_offsets: expected 2 numbers, found {}", offsets_.size()));
    }
    state_ = State::fields;
    return true;
  }

  bool string(string_t& text) override {
    if (state_ == State::metadata) {
      header_.metadata.emplace(key_, text);
      return true;
    }
    if (state_ != State::type_value) return unexpected("a string");
    const auto row = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const TypeRow& r) { return r.name == text; });
    if (row == kTypes.end()) fail(fmt::format("dtype: no such type: {}", shown(text)));
    entry_.type = static_cast<TensorType>(row - kTypes.begin());
    state_ = State::fields;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (state_ == State::offsets) {
      if (offsets_.size() == 2) fail("data_offsets: expected 2 numbers, found more");
      offsets_.push_back(value);
      return true;
    }
    if (state_ != State::shape) return unexpected("a number");
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      fail(fmt::format("shape: {} is too large", value));
    }
    entry_.shape.push_back(static_cast<int64_t>(value));
    return true;
  }

  bool number_integer(number_integer_t value) override {
    return unexpected(fmt::format("the number {}", value));
  }
  bool number_float(number_float_t, const string_t& text) override {
    return unexpected(fmt::format("the number {}", text.substr(0, 40)));
  }
  bool null() override { return unexpected("null"); }
  bool boolean(bool value) override { return unexpected(value ? "true" : "false"); }
  bool binary(json::binary_t&) override { return unexpected("binary data"); }

  bool parse_error(size_t position, const std::string&, const json::exception&) override {
    entry_.name.clear();
    fail(fmt::format("not valid JSON at byte {} of the header", position));
  }

 private:
  enum class State {
    before,         // the opening brace
    names,          // a tensor's name or __metadata__
    entry,          // the object of that name
    metadata,       // keys and strings
    fields,         // dtype, shape, data_offsets
    type_value,     // the string of dtype
    shape_value,    // the list of shape
    shape,          // its numbers
    offsets_value,  // the list of data_offsets
    offsets,        // its numbers
    after           // nothing but white space
  };

  [[noreturn]] void fail(const std::string& what) const {
    const std::string place =
        entry_.name.empty() ? "header" : fmt::format("tensor {}", shown(entry_.name));
    throw Error("safetensors", fmt::format("{}: {}: {}; the file is damaged or not safetensors",
                                           where_, place, what));
  }

  bool unexpected(const std::string& found) const {
    switch (state_) {
      case State::before:
        fail("expected a JSON object, found " + found);
      case State::entry:
        fail("expected an object, found " + found);
      case State::metadata:
        fail(fmt::format("__metadata__ {}: expected a string, found {}", shown(key_), found));
      case State::type_value:
        fail("dtype: expected a string, found " + found);
      case State::shape_value:
      case State::shape:
        fail("shape: expected a list of whole numbers, found " + found);
      default:
        fail("data_offsets: expected a list of two whole numbers, found " + found);
    }
  }

  void begin_entry(const std::string& name) {
    entry_ = {};
    if (!names_.insert(name).second) fail(fmt::format("key {} twice", shown(name)));
    is_metadata_ = name == "__metadata__";
    if (!is_metadata_) entry_.name = name;
    offsets_.clear();
    fields_.clear();
    state_ = State::entry;
  }

  void begin_field(const std::string& name) {
    if (!fields_.insert(name).second) fail(fmt::format("key {} twice", shown(name)));
    if (name == "dtype") {
      state_ = State::type_value;
    } else if (name == "shape") {
      state_ = State::shape_value;
    } else if (name == "data_offsets") {
      state_ = State::offsets_value;
    } else {
      fail(fmt::format("expected dtype, shape and data_offsets, found {}", shown(name)));
    }
  }

  void end_entry() {
    for (const char* name : {"dtype", "shape", "data_offsets"}) {
      if (!fields_.contains(name)) fail(fmt::format("{} is missing", name));
    }
    entry_.begin = offsets_[0];
    entry_.end = offsets_[1];
    header_.tensors.push_back(std::move(entry_));
    entry_ = {};
    state_ = State::names;
  }

  SafetensorsHeader& header_;
  const std::string& where_;
  State state_ = State::before;
  std::string key_;
  bool is_metadata_ = false;
  TensorInfo entry_;
  std::vector<uint64_t> offsets_;
  std::set<std::string> fields_;  // of this entry, so far
  std::set<std::string> names_;   // of all entries, so far
};

void check_sizes(const TensorInfo& tensor, uint64_t data_size, const std::string& where) {
  const std::string place = fmt::format("{}: tensor {}: data_offsets [{}, {}]", where,
                                        shown(tensor.name), tensor.begin, tensor.end);
  if (tensor.begin > tensor.end || tensor.end > data_size) {
    throw Error("safetensors",
                fmt::format("{} lie outside the {} bytes of data; the file is cut short or damaged",
                            place, data_size));
  }
  const std::optional<uint64_t> bytes = bytes_of(tensor);
  if (bytes != tensor.byte_count()) {
    throw Error(
        "safetensors",
        fmt::format("{} hold {} bytes, but {} of shape [{}] needs {}; the file is damaged", place,
                    tensor.byte_count(), type_name(tensor.type), fmt::join(tensor.shape, ", "),
                    bytes ? std::to_string(*bytes) : "more than can be counted"));
  }
}

void check_coverage(const std::vector<TensorInfo>& tensors, uint64_t data_size,
                    const std::string& where) {
  uint64_t covered = 0;
  for (const TensorInfo& tensor : tensors) {
    if (tensor.begin != covered) {
      throw Error("safetensors",
                  fmt::format("{}: tensor {} begins at byte {}, expected {}: the tensors {}; the "
                              "file is damaged",
                              where, shown(tensor.name), tensor.begin, covered,
                              tensor.begin < covered ? "overlap" : "leave a hole"));
    }
    covered = tensor.end;
  }
  if (covered != data_size) {
    throw Error("safetensors",
                fmt::format("{}: the tensors end at byte {} of the data, the file at {}; the file "
                            "is damaged",
                            where, covered, data_size));
  }
}

}  // namespace

std::string_view type_name(TensorType type) { return kTypes.at(static_cast<size_t>(type)).name; }

int64_t element_size(TensorType type) { return kTypes.at(static_cast<size_t>(type)).size; }

int64_t TensorInfo::elements() const {
  // Unsigned: lengths before a zero may multiply beyond int64.
  uint64_t count = 1;
  for (const int64_t length : shape) count *= static_cast<uint64_t>(length);
  return static_cast<int64_t>(count);
}

SafetensorsHeader parse_safetensors_header(std::string_view text, uint64_t data_size,
                                           const std::string& where) {
  if (!text.starts_with('{')) {
    throw Error("safetensors",
                fmt::format("{}: header: expected a JSON object; the file is damaged or not "
                            "safetensors",
                            where));
  }
  // The JSON reader takes a NUL for the end of the text and would not see what stands behind it.
  if (text.find('\0') != std::string_view::npos) {
    throw Error("safetensors",
                fmt::format("{}: header: expected a JSON object and white space, found a NUL; the "
                            "file is damaged",
                            where));
  }
  SafetensorsHeader header;
  HeaderParser parser(header, where);
  json::sax_parse(text, &parser);
  for (const TensorInfo& tensor : header.tensors) check_sizes(tensor, data_size, where);
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const TensorInfo& a, const TensorInfo& b) {
              return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
            });
  check_coverage(header.tensors, data_size, where);
  return header;
}

std::string format_safetensors_header(const SafetensorsHeader& header) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  if (!header.metadata.empty()) object["__metadata__"] = header.metadata;
  for (const TensorInfo& tensor : header.tensors) {
    object[tensor.name] = {{"dtype", type_name(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {tensor.begin, tensor.end}}};
  }
  std::string text = json_text(object);
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace roundtrip
