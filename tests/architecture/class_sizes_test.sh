#!/usr/bin/env bash
# Fails when a class of a header has more than 25 public functions and class_sizes.txt does not say why, or says so of
# one that has fewer.
set -euo pipefail
source tools/workspace.sh
enter_workspace

here=tests/architecture
mapfile -t headers < <(list_cpp | grep -E '^(runtime|codegen|onnxport)/.*\.h$')
((${#headers[@]} > 300)) || { echo "only ${#headers[@]} headers: the list is wrong"; exit 1; }
check() { python3 -B $here/class_sizes.py "$@"; }

check $here/class_sizes.txt "${headers[@]}" || {
  echo "Give a part of the class its data and its functions, and hand callers that part; or make functions free that read" \
    "no data. If neither is better, add the class with its reason to $here/class_sizes.txt."
  exit 1
}

# The test itself sees what it should, and nothing else.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A class with 23 functions, the text of $1, and what does not count.
class() {
  cat >"$folder/a.h" <<TEXT
namespace a {
struct Outer {
  class Inner : public Base<int> {
   public:
    explicit Inner(int x = F({1}), std::function<void()> f = {}) : x_{x}, f_(std::move(f)) { G(); }
    ~Inner();
    Inner(const Inner&) = delete;
    Inner& operator=(Inner&&) = default;
    friend bool operator==(const Inner& a, const Inner& b) { return a.x_ == b.x_; }
    using Call = void(int);
    enum class Kind { kA, kB };
    // void NotThis();
    struct Part { void Of(); };
    std::function<void()> field = [] { return; };
$(for i in {1..23}; do echo "    void F$i(std::vector<int> x = {}) const { if (x.empty()) { G(); } }"; done)
    $1

   private:
    void Hidden();
    void Hidden2();
    int x_ = 0;
  };
  void G();
};
}  // namespace a
TEXT
}
: >"$folder/none.txt"
echo 'Outer::Inner has more for a reason' >"$folder/one.txt"
echo 'Outer::Inner' >"$folder/without.txt"

two='const std::map<int, int>& m() const { return m_; } bool operator()(int) const;'
more=("$two template <typename T> requires(!std::same_as<T, int>) [[nodiscard]] auto T() -> std::vector<T>;"
  "$two void F1(int overload);" "$two operator bool() const;" "$two bool operator<(int) const;" "$two protected: public: void Late();")
for text in "${more[@]}"; do
  class "$text"
  said=$(check "$folder/none.txt" "$folder/a.h") && { echo "not seen: $text"; exit 1; }
  [[ $said == *"Outer::Inner has 26 public functions"* ]] || { echo "$text: $said"; exit 1; }
  check "$folder/one.txt" "$folder/a.h" || { echo "the exception does not count"; exit 1; }
done
! check "$folder/without.txt" "$folder/a.h" >/dev/null || { echo "an exception without a reason is not seen"; exit 1; }
class "$two protected: void Late();"
check "$folder/none.txt" "$folder/a.h" || { echo "one of 25 is seen"; exit 1; }
! check "$folder/one.txt" "$folder/a.h" >/dev/null || { echo "an exception that is not needed is not seen"; exit 1; }
