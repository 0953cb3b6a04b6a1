#pragma once

// Painting by signed distance: a shape is a function that gives the distance of a point to its
// edge, negative inside; a pixel takes as much of the colour as a straight edge at that distance
// covers of it. So edges are smooth at any resolution and move by fractions of a pixel.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

namespace roundtrip::talking_head {

struct Point {
  float x = 0;
  float y = 0;
};

struct Colour {
  float red = 0;
  float green = 0;
  float blue = 0;
};
inline Colour operator*(Colour c, float s) { return {c.red * s, c.green * s, c.blue * s}; }
inline Colour operator*(Colour a, Colour b) {
  return {a.red * b.red, a.green * b.green, a.blue * b.blue};
}
inline Colour operator+(Colour a, Colour b) {
  return {a.red + b.red, a.green + b.green, a.blue + b.blue};
}
inline Colour mix(Colour a, Colour b, float t) { return a * (1 - t) + b * t; }
inline float mix(float a, float b, float t) { return a + (b - a) * t; }

/// 0 below `low`, 1 above `high`, smooth between.
template <class Number>
Number smooth_step(std::type_identity_t<Number> low, std::type_identity_t<Number> high, Number x) {
  const Number t = std::clamp((x - low) / (high - low), Number(0), Number(1));
  return t * t * (3 - 2 * t);
}

/// Distance to an ellipse about 0 to first order: exact on the edge, where coverage needs it.
inline float ellipse(Point p, float rx, float ry) {
  const float ax = p.x / rx, ay = p.y / ry;
  const float radius = std::sqrt(ax * ax + ay * ay);
  const float bx = ax / rx, by = ay / ry;
  const float slope = std::sqrt(bx * bx + by * by);
  return slope < 1e-6f ? -std::min(rx, ry) : radius * (radius - 1) / slope;
}

inline float circle(Point p, float radius) { return std::sqrt(p.x * p.x + p.y * p.y) - radius; }

/// Distance to a box about 0 with half sides (hx, hy) and corners rounded by `corner`.
inline float rounded_box(Point p, float hx, float hy, float corner) {
  const float x = std::abs(p.x) - hx + corner, y = std::abs(p.y) - hy + corner;
  const float ox = std::max(x, 0.0f), oy = std::max(y, 0.0f);
  return std::sqrt(ox * ox + oy * oy) + std::min(std::max(x, y), 0.0f) - corner;
}

/// Distance to a line from a to b, thick by 2 * radius.
inline float capsule(Point p, Point a, Point b, float radius) {
  const float px = p.x - a.x, py = p.y - a.y, bx = b.x - a.x, by = b.y - a.y;
  const float t = std::clamp((px * bx + py * by) / (bx * bx + by * by), 0.0f, 1.0f);
  return circle({px - bx * t, py - by * t}, radius);
}

/// 1 at 0, 0 from the ellipse (rx, ry) on: a soft spot of shade or light.
inline float spot(Point p, float rx, float ry) {
  const float ax = p.x / rx, ay = p.y / ry;
  const float rest = std::max(0.0f, 1 - ax * ax - ay * ay);
  return rest * rest;
}

/// A rectangle of points.
struct Box {
  float left, top, right, bottom;
};

/// A square picture, planes [3, side, side], seen through a frame of reference: picture coordinates
/// run from -1 to 1, right and down; a point p of the frame lies at centre + zoom * R(tilt) p.
class Brush {
 public:
  Brush(std::span<float> planes, int64_t side, Point centre, float zoom, float tilt)
      : planes_(planes.data()),
        side_(side),
        centre_(centre),
        zoom_(zoom),
        cos_(std::cos(tilt)),
        sin_(std::sin(tilt)) {}

  /// Blends colour(p) with weight alpha(p) into every pixel of `box`.
  template <class Alpha, class Shade>
  void blend(const Box& box, Alpha alpha, Shade colour) const {
    int64_t first_column = side_, last_column = 0, first_row = side_, last_row = 0;
    for (const Point corner : {Point{box.left, box.top}, Point{box.right, box.top},
                               Point{box.left, box.bottom}, Point{box.right, box.bottom}}) {
      const float x = centre_.x + zoom_ * (cos_ * corner.x - sin_ * corner.y);
      const float y = centre_.y + zoom_ * (sin_ * corner.x + cos_ * corner.y);
      first_column = std::min(first_column, pixel(x));
      last_column = std::max(last_column, pixel(x) + 1);
      first_row = std::min(first_row, pixel(y));
      last_row = std::max(last_row, pixel(y) + 1);
    }
    const int64_t plane = side_ * side_;
    const float step = 2.0f / static_cast<float>(side_);
    for (int64_t row = std::max<int64_t>(first_row, 0); row < std::min(last_row, side_); ++row) {
      const float y = (static_cast<float>(row) + 0.5f) * step - 1 - centre_.y;
      for (int64_t column = std::max<int64_t>(first_column, 0);
           column < std::min(last_column, side_); ++column) {
        const float x = (static_cast<float>(column) + 0.5f) * step - 1 - centre_.x;
        const Point p = {(cos_ * x + sin_ * y) / zoom_, (cos_ * y - sin_ * x) / zoom_};
        const float weight = alpha(p);
        if (weight <= 0) continue;
        const Colour c = colour(p);
        float* pixel = planes_ + row * side_ + column;
        pixel[0] += weight * (c.red - pixel[0]);
        pixel[plane] += weight * (c.green - pixel[plane]);
        pixel[2 * plane] += weight * (c.blue - pixel[2 * plane]);
      }
    }
  }

  /// Paints colour(p) inside the shape.
  template <class Distance, class Shade>
  void paint(const Box& box, Distance distance, Shade colour) const {
    blend(
        box, [&](Point p) { return coverage(distance(p)); }, colour);
  }

  /// The part of a pixel that a shape covers whose edge is at `distance`.
  float coverage(float distance) const {
    const float pixel = 2.0f / (static_cast<float>(side_) * zoom_);
    return std::clamp(0.5f - distance / pixel, 0.0f, 1.0f);
  }

 private:
  int64_t pixel(float x) const {
    return static_cast<int64_t>(std::floor((x + 1) / 2 * static_cast<float>(side_)));
  }

  float* planes_;
  int64_t side_;
  Point centre_;
  float zoom_;
  float cos_;
  float sin_;
};

}  // namespace roundtrip::talking_head
