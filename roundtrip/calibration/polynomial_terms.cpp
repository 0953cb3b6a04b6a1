#include "roundtrip/calibration/polynomial_terms.h"

#include <fmt/format.h>

namespace roundtrip {
namespace {

// Walks the terms in order. One walk serves numbers, names and counts: `Algebra` defines what a
// one, a product and a power are.
template <class Algebra>
void walk(const ModelForm& form, bool products, int64_t degree, const Algebra& algebra) {
  algebra.one();
  for (size_t k = 0; k < form.polynomial.size(); ++k) {
    if (!form.polynomial[k] && form.enters(k)) algebra.power(k, 1);
  }
  if (products) {
    for (const auto& [a, b] : form.products) {
      if (form.enters(a) && form.enters(b)) algebra.product(a, b);
    }
  }
  for (int64_t d = 1; d <= degree; ++d) {
    for (size_t k = 0; k < form.polynomial.size(); ++k) {
      if (form.polynomial[k] && form.enters(k)) algebra.power(k, d);
    }
  }
}

struct Values {
  std::span<const double> z;
  std::vector<double>& out;

  void one() const { out.push_back(1); }
  void product(size_t a, size_t b) const { out.push_back(z[a] * z[b]); }
  void power(size_t k, int64_t degree) const {
    double value = z[k];
    for (int64_t d = 1; d < degree; ++d) value *= z[k];
    out.push_back(value);
  }
};

struct Names {
  std::vector<std::string>& out;

  void one() const { out.emplace_back("1"); }
  void product(size_t a, size_t b) const { out.push_back(fmt::format("z{}*z{}", a, b)); }
  void power(size_t k, int64_t degree) const {
    out.push_back(degree == 1 ? fmt::format("z{}", k) : fmt::format("z{}^{}", k, degree));
  }
};

struct Count {
  size_t& terms;

  void one() const { ++terms; }
  void product(size_t, size_t) const { ++terms; }
  void power(size_t, int64_t) const { ++terms; }
};

struct Listed {
  std::vector<MeanTerm>& out;
  size_t& index;

  void one() const { ++index; }
  void product(size_t a, size_t b) const {
    out.push_back({.index = index++, .input = a, .power = 1, .other = b});
  }
  void power(size_t k, int64_t degree) const {
    out.push_back({.index = index++, .input = k, .power = static_cast<size_t>(degree)});
  }
};

size_t count(const ModelForm& form, bool products, int64_t degree) {
  size_t terms = 0;
  walk(form, products, degree, Count{terms});
  return terms;
}

}  // namespace

std::vector<MeanTerm> mean_term_list(const ModelForm& form, int64_t degree) {
  std::vector<MeanTerm> terms;
  size_t index = 0;
  walk(form, true, degree, Listed{terms, index});
  return terms;
}

size_t count_mean_terms(const ModelForm& form, int64_t degree) { return count(form, true, degree); }

size_t count_log_sigma_terms(const ModelForm& form, int64_t degree) {
  return count(form, false, degree);
}

void fill_mean_terms(const ModelForm& form, int64_t degree, std::span<const double> z,
                     std::vector<double>& terms) {
  terms.clear();
  walk(form, true, degree, Values{z, terms});
}

void fill_log_sigma_terms(const ModelForm& form, int64_t degree, std::span<const double> z,
                          std::vector<double>& terms) {
  terms.clear();
  walk(form, false, degree, Values{z, terms});
}

std::vector<std::string> mean_terms(const ModelForm& form, int64_t degree) {
  std::vector<std::string> names;
  walk(form, true, degree, Names{names});
  return names;
}

std::vector<std::string> log_sigma_terms(const ModelForm& form, int64_t degree) {
  std::vector<std::string> names;
  walk(form, false, degree, Names{names});
  return names;
}

}  // namespace roundtrip
