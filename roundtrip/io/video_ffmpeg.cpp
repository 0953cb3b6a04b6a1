#include "roundtrip/io/video_ffmpeg.h"

#include <array>
#include <mutex>
#include <new>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"

namespace roundtrip {

FfmpegPtr<AVFrame> make_frame() {
  FfmpegPtr<AVFrame> frame(av_frame_alloc());
  if (!frame) throw std::bad_alloc();
  return frame;
}

FfmpegPtr<AVPacket> make_packet() {
  FfmpegPtr<AVPacket> packet(av_packet_alloc());
  if (!packet) throw std::bad_alloc();
  return packet;
}

void silence_ffmpeg() {
  static std::once_flag once;
  std::call_once(once, [] { av_log_set_level(AV_LOG_QUIET); });
}

std::string ffmpeg_message(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

void fail_video(const std::filesystem::path& path, std::string_view what, int code,
                std::string_view advice) {
  // FFmpeg ends its work with this code when it was told of the user's signal.
  if (code == AVERROR_EXIT) stop_if_interrupted();
  throw Error("video", fmt::format("{}: {}: {}{}{}", path.string(), what, ffmpeg_message(code),
                                   advice.empty() ? "" : "; ", advice));
}

void fail_video(const std::filesystem::path& path, std::string_view what) {
  throw Error("video", fmt::format("{}: {}", path.string(), what));
}

std::string file_address(const std::filesystem::path& path) { return "file:" + path.string(); }

}  // namespace roundtrip
