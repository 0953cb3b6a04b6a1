// The same bytes every time: one encoder thread, FFmpeg's "bitexact" flags (no version strings of
// the muxer, no dates), a scaler without processor-dependent rounding, and x264 without the AVX-512
// code of its macroblock tree, whose choices depend on what memory held before (seen in 0.164).
#include "roundtrip/io/video_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/video_ffmpeg.h"

extern "C" {
#include <libavutil/opt.h>
}

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr std::array<const char*, 2> kCodecs = {"libx264", "mpeg4"};  // the better one first
constexpr int64_t kMaxWrittenSide = 8192;
constexpr double kMaxWrittenRate = 1000;  // frames per second
constexpr double kMaxQuality = 51;

void check_options(const fs::path& path, const VideoOptions& options) {
  const auto good = [](int64_t side) {
    return side >= 2 && side <= kMaxWrittenSide && side % 2 == 0;
  };
  if (!good(options.width) || !good(options.height)) {
    fail_video(path, fmt::format("size: expected even numbers from 2 to {}, found {} x {}",
                                 kMaxWrittenSide, options.width, options.height));
  }
  if (!(options.rate > 0 && options.rate <= kMaxWrittenRate)) {
    fail_video(path, fmt::format("rate: expected more than 0 and at most {} frames per second, "
                                 "found {}",
                                 kMaxWrittenRate, options.rate));
  }
  if (!(options.quality >= 0 && options.quality <= kMaxQuality)) {
    fail_video(path,
               fmt::format("quality: expected 0 to {}, found {}", kMaxQuality, options.quality));
  }
}

const AVCodec& find_encoder(const fs::path& path, const std::string& name) {
  for (const char* candidate : kCodecs) {
    if (!name.empty() && name != candidate) continue;
    if (const AVCodec* encoder = avcodec_find_encoder_by_name(candidate)) return *encoder;
  }
  fail_video(path, fmt::format("no encoder {} in this FFmpeg (known: {})", name,
                               fmt::join(kCodecs, ", ")));
}

struct OutputCloser {
  void operator()(AVFormatContext* context) const {
    avio_closep(&context->pb);
    avformat_free_context(context);
  }
};

}  // namespace

class VideoWriter::Impl {
 public:
  Impl(const fs::path& path, const VideoOptions& options)
      : path_(path), options_(options), file_(path, options.if_exists) {
    silence_ffmpeg();
    const AVCodec& encoder = find_encoder(path, options.codec);
    codec_ = encoder.name;
    AVFormatContext* made = nullptr;
    const std::string address = file_address(file_.temporary());
    check(avformat_alloc_output_context2(&made, nullptr, "mp4", address.c_str()), "start");
    container_.reset(made);
    container_->flags |= AVFMT_FLAG_BITEXACT;
    open_encoder(encoder);
    stream_ = avformat_new_stream(container_.get(), nullptr);
    if (stream_ == nullptr) throw std::bad_alloc();
    stream_->time_base = encoder_->time_base;
    stream_->avg_frame_rate = encoder_->framerate;
    check(avcodec_parameters_from_context(stream_->codecpar, encoder_.get()), "start");
    check(avio_open(&container_->pb, address.c_str(), AVIO_FLAG_WRITE), "create");
    AVDictionary* mux = nullptr;
    av_dict_set(&mux, "movflags", "+faststart", 0);
    const int code = avformat_write_header(container_.get(), &mux);
    av_dict_free(&mux);
    check(code, "start");
    prepare_picture();
  }

  void write(const Image& image) {
    ensure(!finished_, "no frame is written after finish");
    if (image.width != options_.width || image.height != options_.height ||
        image.pixels.size() != static_cast<size_t>(3 * image.width * image.height)) {
      fail_video(path_, fmt::format("frame {}: expected {} x {}, found {} x {}", frames_,
                                    options_.width, options_.height, image.width, image.height));
    }
    // The encoder may still hold the last frame.
    check(av_frame_make_writable(picture_.get()), "write a frame");
    const size_t row_size = static_cast<size_t>(3 * image.width);
    for (int64_t row = 0; row < image.height; ++row) {
      std::copy_n(image.pixels.data() + static_cast<size_t>(row) * row_size, row_size,
                  colours_->data[0] + row * colours_->linesize[0]);
    }
    check(sws_scale(scaler_.get(), colours_->data, colours_->linesize, 0, picture_->height,
                    picture_->data, picture_->linesize),
          "convert a frame");
    picture_->pts = frames_++;
    encode(picture_.get());
  }

  void finish() {
    ensure(!finished_, "finish is called once");
    if (frames_ == 0) fail_video(path_, "a video needs at least one frame");
    encode(nullptr);
    check(av_write_trailer(container_.get()), "finish");
    check(avio_closep(&container_->pb), "finish");
    file_.commit();
    finished_ = true;
  }

  const std::string& codec() const { return codec_; }

 private:
  void check(int code, const char* action) const {
    if (code < 0) fail_video(path_, fmt::format("cannot {}", action), code);
  }

  void open_encoder(const AVCodec& encoder) {
    encoder_.reset(avcodec_alloc_context3(&encoder));
    if (!encoder_) throw std::bad_alloc();
    encoder_->width = static_cast<int>(options_.width);
    encoder_->height = static_cast<int>(options_.height);
    encoder_->pix_fmt = AV_PIX_FMT_YUV420P;
    // BT.601 is what readers assume that never look at the tag.
    encoder_->colorspace = AVCOL_SPC_SMPTE170M;
    encoder_->color_range = AVCOL_RANGE_MPEG;
    // MPEG-4 keeps its clock in 16 bits.
    encoder_->framerate = av_d2q(options_.rate, /*max=*/60000);
    encoder_->time_base = av_inv_q(encoder_->framerate);
    encoder_->thread_count = 1;
    encoder_->flags |= AV_CODEC_FLAG_BITEXACT;
    if ((container_->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
      encoder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    }
    if (codec_ == "libx264") {
      check(av_opt_set_double(encoder_->priv_data, "crf", options_.quality, 0), "set the quality");
      check(av_opt_set(encoder_->priv_data, "preset", "medium", 0), "set the preset");
      check(av_opt_set(encoder_->priv_data, "x264-params", "cpu-independent=1", 0),
            "make the encoder reproducible");
    } else {
      // Quantisers 1 to 31 for rate factors 0 to 51.
      encoder_->flags |= AV_CODEC_FLAG_QSCALE;
      encoder_->global_quality =
          static_cast<int>(std::lround(FF_QP2LAMBDA * (1 + options_.quality * 30 / kMaxQuality)));
    }
    check(avcodec_open2(encoder_.get(), &encoder, nullptr), "open the encoder");
  }

  void take_buffer(AVFrame& frame, AVPixelFormat format) const {
    frame.format = format;
    frame.width = encoder_->width;
    frame.height = encoder_->height;
    check(av_frame_get_buffer(&frame, 0), "start");
  }

  void prepare_picture() {
    const int width = encoder_->width;
    const int height = encoder_->height;
    take_buffer(*picture_, AV_PIX_FMT_YUV420P);
    take_buffer(*colours_, AV_PIX_FMT_RGB24);
    scaler_.reset(sws_getContext(width, height, AV_PIX_FMT_RGB24, width, height, AV_PIX_FMT_YUV420P,
                                 SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_BITEXACT,
                                 nullptr, nullptr, nullptr));
    if (!scaler_) fail_video(path_, "cannot convert to 4:2:0");
    const int* matrix = sws_getCoefficients(SWS_CS_ITU601);
    check(sws_setColorspaceDetails(scaler_.get(), matrix, /*srcRange=*/1, matrix, /*dstRange=*/0, 0,
                                   1 << 16, 1 << 16),
          "set the colour matrix");
  }

  // Sends one picture, or the end, and writes every packet that is ready.
  void encode(const AVFrame* picture) {
    check(avcodec_send_frame(encoder_.get(), picture), "encode a frame");
    for (;;) {
      const int code = avcodec_receive_packet(encoder_.get(), packet_.get());
      if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
      check(code, "encode a frame");
      packet_->duration = 1;
      av_packet_rescale_ts(packet_.get(), encoder_->time_base, stream_->time_base);
      packet_->stream_index = stream_->index;
      check(av_interleaved_write_frame(container_.get(), packet_.get()), "write a frame");
    }
  }

  fs::path path_;
  VideoOptions options_;
  AtomicFile file_;
  std::string codec_;
  std::unique_ptr<AVFormatContext, OutputCloser> container_;
  FfmpegPtr<AVCodecContext> encoder_;
  AVStream* stream_ = nullptr;
  FfmpegPtr<SwsContext> scaler_;
  FfmpegPtr<AVFrame> colours_ = make_frame();  // padded: the scaler reads past the end of rows
  FfmpegPtr<AVFrame> picture_ = make_frame();
  FfmpegPtr<AVPacket> packet_ = make_packet();
  int64_t frames_ = 0;
  bool finished_ = false;
};

VideoWriter::VideoWriter(const fs::path& path, const VideoOptions& options) {
  check_options(path, options);
  impl_ = std::make_unique<Impl>(path, options);
}
VideoWriter::~VideoWriter() = default;
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;

void VideoWriter::write(const Image& frame) { impl_->write(frame); }
void VideoWriter::finish() { impl_->finish(); }
const std::string& VideoWriter::codec() const { return impl_->codec(); }

}  // namespace roundtrip
