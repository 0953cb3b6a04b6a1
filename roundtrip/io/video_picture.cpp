// The crop moves pointers only, so nothing is copied before the one pass of swscale that resizes
// and converts together.
#include "roundtrip/io/video_picture.h"

#include <algorithm>
#include <cmath>

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace roundtrip {
namespace {

constexpr int kExact = SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;

// Streams often leave the matrix unsaid; players then take BT.709 for high definition.
int colour_space_of(const AVFrame& frame) {
  if (frame.colorspace != AVCOL_SPC_UNSPECIFIED && frame.colorspace != AVCOL_SPC_RGB) {
    return frame.colorspace;
  }
  return frame.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
}

bool is_full_range(const AVFrame& frame) {
  return frame.color_range == AVCOL_RANGE_JPEG || frame.format == AV_PIX_FMT_YUVJ420P ||
         frame.format == AV_PIX_FMT_YUVJ422P || frame.format == AV_PIX_FMT_YUVJ444P;
}

// Sets the frame's crop fields so that the rest has the aspect width : height as shown.
void crop_to_aspect(AVFrame& frame, double pixel_aspect, double width, double height) {
  const double want = width / height / pixel_aspect;  // in stored pixels
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const int keep_width =
      std::clamp(static_cast<int>(std::lround(frame.height * want)), 1, frame.width);
  const int keep_height =
      std::clamp(static_cast<int>(std::lround(frame.width / want)), 1, frame.height);
  // The left and top edges lie on whole chroma samples.
  const int left = (frame.width - keep_width) / 2 >> format->log2_chroma_w << format->log2_chroma_w;
  const int top = (frame.height - keep_height) / 2 >> format->log2_chroma_h
                                                          << format->log2_chroma_h;
  frame.crop_left = static_cast<size_t>(left);
  frame.crop_right = static_cast<size_t>(frame.width - keep_width - left);
  frame.crop_top = static_cast<size_t>(top);
  frame.crop_bottom = static_cast<size_t>(frame.height - keep_height - top);
}

}  // namespace

int VideoPicture::draw(const AVFrame& frame, AVRational pixel_aspect, Image& image) {
  const bool turned = rotation_ % 180 != 0;
  const int width = static_cast<int>(turned ? height_ : width_);
  const int height = static_cast<int>(turned ? width_ : height_);
  av_frame_unref(cropped_.get());
  int code = av_frame_ref(cropped_.get(), &frame);
  if (code < 0) return code;
  if (width > 0) {
    const double aspect = pixel_aspect.num > 0 && pixel_aspect.den > 0 ? av_q2d(pixel_aspect) : 1;
    crop_to_aspect(*cropped_, aspect, width, height);
    code = av_frame_apply_cropping(cropped_.get(), AV_FRAME_CROP_UNALIGNED);
    if (code < 0) return code;
  }
  code = width > 0 ? prepare_scaler(*cropped_, width, height)
                   : prepare_scaler(*cropped_, cropped_->width, cropped_->height);
  if (code < 0) return code;
  code = sws_scale(scaler_.get(), cropped_->data, cropped_->linesize, 0, cropped_->height,
                   scaled_->data, scaled_->linesize);
  if (code < 0) return code;
  copy_turned(*scaled_, image);
  return 0;
}

int VideoPicture::prepare_scaler(const AVFrame& source, int width, int height) {
  const Key key = {.source_width = source.width,
                   .source_height = source.height,
                   .format = source.format,
                   .colour_space = colour_space_of(source),
                   .full_range = is_full_range(source),
                   .width = width,
                   .height = height};
  if (scaler_ && key == key_) return 0;
  // Below that the halved colour planes would be enlarged, where area means repeat samples.
  const bool halves = 2 * width <= source.width && 2 * height <= source.height;
  scaler_.reset(sws_getContext(
      source.width, source.height, static_cast<AVPixelFormat>(source.format), width, height,
      AV_PIX_FMT_RGB24, kExact | (halves ? SWS_AREA : SWS_BICUBIC), nullptr, nullptr, nullptr));
  if (!scaler_) return AVERROR(EINVAL);
  // Refused for formats without a matrix (RGB), where there is nothing to set.
  sws_setColorspaceDetails(scaler_.get(), sws_getCoefficients(key.colour_space), key.full_range,
                           sws_getCoefficients(SWS_CS_DEFAULT), /*dstRange=*/1, 0, 1 << 16,
                           1 << 16);
  // A frame of its own: swscale may write whole vectors past the end of a row.
  av_frame_unref(scaled_.get());
  scaled_->format = AV_PIX_FMT_RGB24;
  scaled_->width = width;
  scaled_->height = height;
  const int code = av_frame_get_buffer(scaled_.get(), /*align=*/64);
  key_ = key;
  return code;
}

void VideoPicture::copy_turned(const AVFrame& scaled, Image& image) const {
  const int64_t width = scaled.width;
  const int64_t height = scaled.height;
  const bool turned = rotation_ % 180 != 0;
  image.width = turned ? height : width;
  image.height = turned ? width : height;
  image.pixels.resize(static_cast<size_t>(3 * width * height));
  for (int64_t row = 0; row < height; ++row) {
    const uint8_t* from = scaled.data[0] + row * scaled.linesize[0];
    if (rotation_ == 0) {
      std::copy_n(from, 3 * width, image.pixels.data() + image.offset(0, row));
      continue;
    }
    for (int64_t column = 0; column < width; ++column, from += 3) {
      const int64_t x = rotation_ == 90    ? height - 1 - row
                        : rotation_ == 180 ? width - 1 - column
                                           : row;
      const int64_t y = rotation_ == 90    ? column
                        : rotation_ == 180 ? height - 1 - row
                                           : width - 1 - column;
      image.set(x, y, {from[0], from[1], from[2]});
    }
  }
}

}  // namespace roundtrip
