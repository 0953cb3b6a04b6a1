#include "roundtrip/calibration/polynomial_terms.h"

#include <fmt/format.h>

namespace roundtrip {
namespace {

// Walks the terms in order. One walk serves numbers and names: `Algebra` says what a one, an input,
// a product and a power are.
template <class Algebra>
void walk(const ModelForm& form, bool products, int64_t degree, const Algebra& algebra) {
  algebra.one();
  for (size_t k = 0; k < form.polynomial.size(); ++k) {
    if (!form.polynomial[k]) algebra.power(k, 1);
  }
  if (products) {
    for (const auto& [a, b] : form.products) algebra.product(a, b);
  }
  for (int64_t d = 1; d <= degree; ++d) {
    for (size_t k = 0; k < form.polynomial.size(); ++k) {
      if (form.polynomial[k]) algebra.power(k, d);
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

size_t count(const ModelForm& form, bool products, int64_t degree) {
  size_t polynomial = 0;
  for (const bool is : form.polynomial) polynomial += is ? 1 : 0;
  return 1 + (form.polynomial.size() - polynomial) + (products ? form.products.size() : 0) +
         polynomial * static_cast<size_t>(degree);
}

}  // namespace

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
