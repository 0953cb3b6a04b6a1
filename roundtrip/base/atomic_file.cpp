#include "roundtrip/base/atomic_file.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPrefix = ".tmp-";

[[noreturn]] void fail(const fs::path& path, const char* action) {
  throw Error("file",
              fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(errno)));
}

// A killed process nobody waited for keeps its number as a zombie (state Z), which is not running.
bool is_running(pid_t process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(stat, text);
  const size_t name_end = text.rfind(')');  // the name may hold anything
  return name_end == std::string::npos || text.substr(name_end).find(" Z ") != 1;
}

// fsync on a folder makes the rename itself durable.
void sync_path(const fs::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags);
  if (descriptor < 0) fail(path, "open");
  const int result = ::fsync(descriptor);
  ::close(descriptor);
  if (result != 0) fail(path, "sync");
}

// Which machine a temporary file is of, in eight characters: whether a process runs can only be
// asked at home.
std::string machine_mark() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  uint32_t mark = 2166136261U;  // FNV-1a
  for (const char* c = name; *c != '\0'; ++c) {
    mark = (mark ^ static_cast<unsigned char>(*c)) * 16777619U;
  }
  return fmt::format("{:08x}", mark);
}

// Renames, but never onto a file that is there; false with errno when it cannot.
bool rename_to_new(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // Some file systems do not know the flag; a second name of the file is never put onto another.
  return ::link(from.c_str(), to.c_str()) == 0 && ::unlink(from.c_str()) == 0;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace

AtomicFile::AtomicFile(fs::path path, IfExists if_exists)
    : path_(std::move(path)), if_exists_(if_exists) {
  // A link that leads nowhere is a file too: writing would replace it.
  if (if_exists == IfExists::refuse && fs::exists(fs::symlink_status(path_))) {
    throw Error("file", fmt::format("{}: exists already; --force replaces it", path_.string()));
  }
  const fs::path folder = folder_of(path_);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error("file",
                fmt::format("{}: cannot make the folder: {}", folder.string(), error.message()));
  }
  temporary_ = folder / temporary_name(::getpid(), path_.filename().string());
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

std::string AtomicFile::temporary_name(int64_t process, const std::string& name) {
  return fmt::format("{}{}-{}-{}", kPrefix, process, machine_mark(), name);
}

bool AtomicFile::is_temporary(const fs::path& path) {
  return path.filename().string().starts_with(kPrefix);
}

bool AtomicFile::is_abandoned(const fs::path& path) {
  if (!is_temporary(path)) return false;
  const std::string name = path.filename().string();
  const size_t mark = name.find('-', std::strlen(kPrefix));
  if (mark == std::string::npos || !name.substr(mark + 1).starts_with(machine_mark())) return false;
  const auto owner = static_cast<pid_t>(std::atoll(name.c_str() + std::strlen(kPrefix)));
  return owner > 0 && !is_running(owner);
}

void AtomicFile::remove_abandoned(const fs::path& folder) {
  std::error_code ignored;  // another process may have been faster
  if (!fs::is_directory(folder, ignored)) return;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_abandoned(entry.path())) fs::remove(entry.path(), ignored);
  }
}

void AtomicFile::commit() {
  sync_path(temporary_, O_RDONLY);
  const bool named = if_exists_ == IfExists::refuse
                         ? rename_to_new(temporary_, path_)
                         : ::rename(temporary_.c_str(), path_.c_str()) == 0;
  if (!named && if_exists_ == IfExists::refuse && errno == EEXIST) {
    throw Error("file",
                fmt::format("{}: expected no file there, found one that appeared while this "
                            "one was made; it is left as it is: name another",
                            path_.string()));
  }
  if (!named) fail(path_, "rename into place");
  temporary_.clear();
  sync_path(folder_of(path_), O_RDONLY | O_DIRECTORY);
}

void write_file(const fs::path& path, std::string_view bytes, AtomicFile::IfExists if_exists) {
  AtomicFile file(path, if_exists);
  {
    std::ofstream out(file.temporary(), std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) fail(path, "write");
  }
  file.commit();
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path)) {
    throw Error("file",
                fmt::format("{}: cannot be read: {}", path.string(),
                            fs::is_directory(path) ? "it is a folder" : std::strerror(errno)));
  }
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace roundtrip
