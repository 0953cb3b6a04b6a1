#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

namespace roundtrip {

// What video reader and writer share: FFmpeg's objects with their owners, its errors as Errors.

struct FfmpegDeleter {
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
};
template <class T>
using FfmpegPtr = std::unique_ptr<T, FfmpegDeleter>;

FfmpegPtr<AVFrame> make_frame();
FfmpegPtr<AVPacket> make_packet();

/// Stops FFmpeg's own messages on standard error, for the whole process.
void silence_ffmpeg();

/// "Invalid data found when processing input".
std::string ffmpeg_message(int code);

/// Throws Error("video", "PATH: WHAT: FFmpeg's message; ADVICE"), or Interrupted when that is why.
[[noreturn]] void fail_video(const std::filesystem::path& path, std::string_view what, int code,
                             std::string_view advice = {});
/// Throws Error("video", "PATH: WHAT").
[[noreturn]] void fail_video(const std::filesystem::path& path, std::string_view what);

/// `path` as an address that FFmpeg takes for a file whatever its name looks like.
std::string file_address(const std::filesystem::path& path);

}  // namespace roundtrip
