// Demux, decode, pick by time. Two decoded frames are held: the last one before the wanted time and
// the first one at or after it; the nearer of them is the answer.
#include "roundtrip/io/video_reader.h"

#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/io/video_ffmpeg.h"
#include "roundtrip/io/video_picture.h"

extern "C" {
#include <libavutil/avstring.h>
#include <libavutil/display.h>
}

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kMaxPixels = int64_t{1} << 26;  // 8192 x 8192; a header may promise any size
constexpr int64_t kMaxSide = 16384;               // of a wanted picture
constexpr double kMaxRate = 1000;                 // frames per second
constexpr double kMaxGap = 3600;                  // seconds between frames; more is a broken clock
constexpr double kTie = 1e-9;                     // seconds; nearer than this is equally near
constexpr double kFallbackInterval = 0.04;        // seconds, where a stream says nothing of time

constexpr const char* kGetAgain = "download or make it again";
constexpr const char* kConvert = "convert it with ffmpeg -i INPUT OUTPUT.mp4";

struct FileCloser {
  void operator()(AVIOContext* file) const { avio_closep(&file); }
};
using FilePtr = std::unique_ptr<AVIOContext, FileCloser>;

/// Keeps the file open for as long as the container that reads it.
struct FormatCloser {
  FilePtr file;
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
};
using FormatPtr = std::unique_ptr<AVFormatContext, FormatCloser>;

void check_request(const fs::path& path, const VideoRequest& request) {
  if (!(request.rate >= 0 && request.rate <= kMaxRate)) {
    fail_video(path, fmt::format("rate: expected 0 (as stored) to {} frames per second, found {}; "
                                 "change the rate",
                                 kMaxRate, request.rate));
  }
  const bool native = request.width == 0 && request.height == 0;
  const auto good = [](int64_t side) { return side >= 1 && side <= kMaxSide; };
  if (!native && !(good(request.width) && good(request.height))) {
    fail_video(path, fmt::format("size: expected 1 to {} pixels a side, or 0 x 0 for as stored, "
                                 "found {} x {}; change the size",
                                 kMaxSide, request.width, request.height));
  }
}

// Containers that are one file each. Playlists and scripts (hls, dash, concat, ...) name other
// files and, when live, wait for them without end; FFmpeg finds them by content under any name.
constexpr const char* kContainers =
    "mov,matroska,avi,mpeg,mpegts,mpegvideo,m4v,h264,hevc,vc1,dirac,obu,av1,ivf,flv,asf,ogg,gif,"
    "apng,yuv4mpegpipe,mjpeg,mxf,nut,dv,wtv,rm,nsv,swf,h261,h263,cavsvideo,gxf,roq,smk,bink,"
    // Sound, whose lack of pictures is told in words of its own.
    "wav,mp3,flac,aac";

int stop_asked(void*) { return interrupt_signal() != 0 ? 1 : 0; }

int refuse_other_file(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EPERM);
}

void check_file(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) fail_video(path, "no such file; check the path");
  if (!fs::is_regular_file(status)) {
    fail_video(path, fmt::format("expected a video file, found {}; name a file",
                                 fs::is_directory(status) ? "a folder" : "no regular file"));
  }
  if (fs::file_size(path, error) == 0 && !error) {
    fail_video(path, fmt::format("the file is empty; {}", kGetAgain));
  }
}

const AVInputFormat* find_container(const fs::path& path, AVIOContext& file) {
  const AVInputFormat* format = nullptr;
  const int code =
      av_probe_input_buffer2(&file, &format, file_address(path).c_str(), nullptr, 0, 0);
  if (code < 0) fail_video(path, "not a video that FFmpeg can open", code, kGetAgain);
  // FFmpeg would draw any text file as a terminal session.
  if (std::string_view(format->name) == "tty") {
    fail_video(path, "expected a video, found a text file; name a video");
  }
  if (av_match_list(format->name, kContainers, ',') <= 0) {
    fail_video(path, fmt::format("expected one video file by itself, found the format {} ({}); {}",
                                 format->name, format->long_name, kConvert));
  }
  return format;
}

FormatPtr open_container(const fs::path& path) {
  silence_ffmpeg();
  check_file(path);
  const AVIOInterruptCB interrupt{.callback = stop_asked, .opaque = nullptr};
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", "file", 0);
  AVIOContext* opened = nullptr;
  int code = avio_open2(&opened, file_address(path).c_str(), AVIO_FLAG_READ, &interrupt, &options);
  av_dict_free(&options);
  if (code < 0) fail_video(path, "cannot be opened", code, "check its permissions");
  FilePtr file(opened);
  const AVInputFormat* format = find_container(path, *file);
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) throw std::bad_alloc();
  context->pb = file.get();
  context->interrupt_callback = interrupt;
  context->io_open = refuse_other_file;
  // Frees the context when it fails; the file stays ours.
  code = avformat_open_input(&context, file_address(path).c_str(), format, nullptr);
  if (code < 0) fail_video(path, "not a video that FFmpeg can open", code, kGetAgain);
  FormatPtr container(context, FormatCloser{std::move(file)});
  code = avformat_find_stream_info(container.get(), nullptr);
  if (code < 0) fail_video(path, "its streams cannot be read", code, kGetAgain);
  return container;
}

AVStream* find_video_stream(const fs::path& path, AVFormatContext& container) {
  const int index =
      av_find_best_stream(&container, AVMEDIA_TYPE_VIDEO, -1, -1, /*decoder_ret=*/nullptr, 0);
  // A cover picture in a music file counts as a video stream for FFmpeg, not for us.
  if (index < 0 || (container.streams[index]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
    fail_video(path, fmt::format("no video in it, only {} other stream(s); name a video",
                                 container.nb_streams));
  }
  return container.streams[index];
}

FfmpegPtr<AVCodecContext> open_decoder(const fs::path& path, const AVStream& stream) {
  const AVCodecParameters& coded = *stream.codecpar;
  const AVCodec* decoder = avcodec_find_decoder(coded.codec_id);
  if (decoder == nullptr) {
    char tag[AV_FOURCC_MAX_STRING_SIZE] = {};
    av_fourcc_make_string(tag, coded.codec_tag);
    fail_video(path,
               fmt::format("no decoder here for its codec {} ({}); convert it where there is one",
                           avcodec_get_name(coded.codec_id), tag));
  }
  FfmpegPtr<AVCodecContext> context(avcodec_alloc_context3(decoder));
  if (!context) throw std::bad_alloc();
  int code = avcodec_parameters_to_context(context.get(), &coded);
  if (code < 0) fail_video(path, "its codec parameters are wrong", code, kGetAgain);
  context->thread_count = 1;  // clips run in parallel instead
  context->max_pixels = kMaxPixels;
  context->pkt_timebase = stream.time_base;
  code = avcodec_open2(context.get(), decoder, nullptr);
  if (code < 0)
    fail_video(path, fmt::format("its {} stream cannot be opened", decoder->name), code, kConvert);
  return context;
}

// Clockwise degrees from stored to shown; 0 for anything but quarter turns.
int64_t rotation_of(const AVStream& stream) {
  size_t size = 0;
  const uint8_t* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix == nullptr || size < 9 * sizeof(int32_t)) return 0;
  const double counterclockwise = av_display_rotation_get(reinterpret_cast<const int32_t*>(matrix));
  if (std::isnan(counterclockwise)) return 0;
  const long quarters = std::lround(-counterclockwise / 90);
  if (std::abs(-counterclockwise - 90.0 * static_cast<double>(quarters)) > 1) return 0;
  return ((quarters % 4 + 4) % 4) * 90;
}

VideoInfo info_of(const AVFormatContext& container, const AVStream& stream) {
  VideoInfo info;
  info.rotation = rotation_of(stream);
  info.width = stream.codecpar->width;
  info.height = stream.codecpar->height;
  if (info.rotation % 180 != 0) std::swap(info.width, info.height);
  const AVRational rate =
      stream.avg_frame_rate.num > 0 ? stream.avg_frame_rate : stream.r_frame_rate;
  if (rate.num > 0 && rate.den > 0) info.rate = av_q2d(rate);
  if (stream.duration != AV_NOPTS_VALUE && stream.duration > 0) {
    info.duration = static_cast<double>(stream.duration) * av_q2d(stream.time_base);
  } else if (container.duration != AV_NOPTS_VALUE && container.duration > 0) {
    info.duration = static_cast<double>(container.duration) / AV_TIME_BASE;
  }
  info.frames = stream.nb_frames > 0 ? stream.nb_frames : std::llround(info.duration * info.rate);
  info.codec = avcodec_get_name(stream.codecpar->codec_id);
  info.container = container.iformat->name;
  return info;
}

}  // namespace

class VideoReader::Impl {
 public:
  Impl(fs::path path, const VideoRequest& request)
      : path_(std::move(path)),
        rate_(request.rate),
        container_(open_container(path_)),
        stream_(find_video_stream(path_, *container_)),
        decoder_(open_decoder(path_, *stream_)),
        info_(info_of(*container_, *stream_)),
        picture_(request.width, request.height, info_.rotation) {
    for (unsigned i = 0; i < container_->nb_streams; ++i) {
      if (container_->streams[i] != stream_) container_->streams[i]->discard = AVDISCARD_ALL;
    }
  }

  const VideoInfo& info() const { return info_; }
  double time() const { return time_; }

  bool next(Image& image) {
    if (rate_ == 0) {
      if (!advance()) return false;
      draw(newer_, image);
      return true;
    }
    const double target = static_cast<double>(wanted_) / rate_;
    while (!ended_ && (decoded_ == 0 || newer_.time < target - kTie)) advance();
    if (ended_ && newer_.time < target - kTie) {
      if (target >= newer_.time + interval_ / 2 - kTie) return false;
      draw(newer_, image);
    } else {
      const bool older_is_nearer =
          decoded_ > 1 && target - older_.time <= newer_.time - target + kTie;
      draw(older_is_nearer ? older_ : newer_, image);
    }
    ++wanted_;
    return true;
  }

 private:
  struct Decoded {
    FfmpegPtr<AVFrame> frame = make_frame();
    double time = 0;  // seconds since the first frame
  };

  // Decodes one more frame into newer_; false, with newer_ unchanged, at the end.
  bool advance() {
    if (ended_) return false;
    std::swap(older_, newer_);
    if (!decode(*newer_.frame)) {
      std::swap(older_, newer_);
      ended_ = true;
      if (decoded_ == 0) fail_video(path_, fmt::format("there is no frame in it; {}", kGetAgain));
      return false;
    }
    set_time(newer_);
    ++decoded_;
    return true;
  }

  void set_time(Decoded& decoded) {
    const int64_t stamp = decoded.frame->best_effort_timestamp;
    if (decoded_ == 0) {
      first_stamp_ = stamp;
      interval_ = info_.rate > 0 ? 1 / info_.rate : kFallbackInterval;
      decoded.time = 0;
      return;
    }
    decoded.time = older_.time + interval_;
    if (stamp != AV_NOPTS_VALUE && first_stamp_ != AV_NOPTS_VALUE) {
      // Doubles: the difference of two hostile time stamps may not fit an integer.
      const double ticks = static_cast<double>(stamp) - static_cast<double>(first_stamp_);
      decoded.time = std::max(older_.time, ticks * av_q2d(stream_->time_base));
    }
    const double gap = decoded.time - older_.time;
    if (gap > kMaxGap) {
      fail_video(path_, fmt::format("the clock jumps by {:.0f} s after frame {}; {}", gap, decoded_,
                                    kConvert));
    }
    if (gap > 0) interval_ = gap;
  }

  bool decode(AVFrame& frame) {
    for (;;) {
      const int code = avcodec_receive_frame(decoder_.get(), &frame);
      if (code == 0) {
        if ((frame.flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame.decode_error_flags != 0) {
          fail_video(path_, fmt::format("frame {} is damaged; {}", decoded_ + 1, kGetAgain));
        }
        return true;
      }
      if (code == AVERROR_EOF) return false;
      if (code != AVERROR(EAGAIN)) {
        fail_video(path_, fmt::format("frame {} does not decode", decoded_ + 1), code, kGetAgain);
      }
      feed();
    }
  }

  // Hands the decoder one packet, or the end of the stream.
  void feed() {
    int code = 0;
    do {
      av_packet_unref(packet_.get());
      code = av_read_frame(container_.get(), packet_.get());
    } while (code >= 0 && packet_->stream_index != stream_->index);
    if (code == AVERROR_EOF) {
      check_complete();
      code = avcodec_send_packet(decoder_.get(), nullptr);
      if (code < 0) fail_video(path_, "the last frames do not decode", code, kGetAgain);
      return;
    }
    if (code < 0)
      fail_video(path_, fmt::format("breaks off after frame {}", decoded_), code, kGetAgain);
    if ((packet_->flags & AV_PKT_FLAG_CORRUPT) != 0) {
      fail_video(path_, fmt::format("breaks off after frame {}; {}", decoded_, kGetAgain));
    }
    ++packets_;
    code = avcodec_send_packet(decoder_.get(), packet_.get());
    if (code < 0)
      fail_video(path_, fmt::format("frame {} does not decode", packets_), code, kGetAgain);
  }

  // MP4 and MOV list all their packets in front, so a file cut short shows.
  void check_complete() const {
    if (container_->pb != nullptr && container_->pb->error < 0) {
      fail_video(path_, fmt::format("breaks off after frame {}", decoded_), container_->pb->error,
                 kGetAgain);
    }
    if (info_.container.find("mp4") == std::string::npos) return;
    const int64_t listed = avformat_index_get_entries_count(stream_);
    if (packets_ < listed) {
      fail_video(path_, fmt::format("breaks off: {} of {} frames are there; {}", packets_, listed,
                                    kGetAgain));
    }
  }

  void draw(const Decoded& decoded, Image& image) {
    const AVRational aspect =
        av_guess_sample_aspect_ratio(container_.get(), stream_, decoded.frame.get());
    const int code = picture_.draw(*decoded.frame, aspect, image);
    if (code < 0) fail_video(path_, "a frame cannot be turned into RGB", code, kConvert);
    time_ = decoded.time;
  }

  fs::path path_;
  double rate_;
  FormatPtr container_;
  AVStream* stream_;
  FfmpegPtr<AVCodecContext> decoder_;
  VideoInfo info_;
  VideoPicture picture_;
  FfmpegPtr<AVPacket> packet_ = make_packet();
  Decoded older_, newer_;
  int64_t first_stamp_ = AV_NOPTS_VALUE;
  int64_t packets_ = 0;
  int64_t decoded_ = 0;
  int64_t wanted_ = 0;   // index of the next frame at the wanted rate
  double interval_ = 0;  // seconds between the last two frames
  double time_ = 0;
  bool ended_ = false;
};

VideoReader::VideoReader(const fs::path& path, const VideoRequest& request) {
  check_request(path, request);
  impl_ = std::make_unique<Impl>(path, request);
}
VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;

const VideoInfo& VideoReader::info() const { return impl_->info(); }
bool VideoReader::next(Image& frame) { return impl_->next(frame); }
double VideoReader::time() const { return impl_->time(); }

VideoInfo inspect_video(const fs::path& path) { return VideoReader(path).info(); }

}  // namespace roundtrip
