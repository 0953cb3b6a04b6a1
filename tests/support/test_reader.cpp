// roundtrip-reader with other tasks: those that tests want to see go wrong.
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <utility>

#include <unistd.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/io/reader_server.h"

namespace roundtrip {
namespace {

int number_of(std::string_view text) { return std::atoi(std::string(text).c_str()); }

std::string use_processor(std::string_view seconds) {
  const std::clock_t end = std::clock() + number_of(seconds) * CLOCKS_PER_SEC;
  while (std::clock() < end) {
  }
  return "done";
}

// As a heap that an earlier file has corrupted.
std::string crash_unless_new(std::string_view) {
  static bool is_new = true;
  if (!std::exchange(is_new, false)) std::abort();
  return "done";
}

const ReaderTasks kTasks = {
    {"echo", [](std::string_view text) { return std::string(text); }},
    {"process", [](std::string_view) { return std::to_string(::getpid()); }},
    {"folder", [](std::string_view) { return std::filesystem::current_path().string(); }},
    {"error", [](std::string_view text) -> std::string { throw Error("well", text); }},
    {"bug", [](std::string_view text) -> std::string { throw Bug(std::string(text)); }},
    {"no memory", [](std::string_view) -> std::string { throw std::bad_alloc(); }},
    {"signal",
     [](std::string_view signal) {
       std::raise(number_of(signal));
       return std::string("survived");
     }},
    {"gigabytes",
     [](std::string_view count) {
       return std::string(static_cast<size_t>(number_of(count)) << 30, 'x').substr(0, 1);
     }},
    {"processor", use_processor},
    {"sleep", [](std::string_view) { return ::pause(), std::string(); }},
    {"read", [](std::string_view path) { return read_file(path); }},
    {"write",
     [](std::string_view path) {
       std::ofstream(std::string(path)) << "written";
       return std::string();
     }},
    {"crash unless new", crash_unless_new},
    {"well_contents", [](std::string_view) -> std::string { std::abort(); }},
};

}  // namespace
}  // namespace roundtrip

int main(int argc, char** argv) { return roundtrip::run_reader(argc, argv, roundtrip::kTasks); }
