// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/order_claims.hpp"

#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::string_view outside_the_model = "(outside the model)";

struct spelt_arrow {
    std::string_view text;
    order_claim::direction goes;
};
constexpr std::array arrows{spelt_arrow{"<->", order_claim::direction::both},
                            spelt_arrow{"->", order_claim::direction::to},
                            spelt_arrow{"<-", order_claim::direction::from}};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Reads the text of one comment.
class claim_reader {
public:
    explicit claim_reader(std::string_view text) : text_(text) {}

    std::vector<order_claim> read() {
        std::optional<order_claim> last;
        for (bool at_a_beginning = true; at_ < text_.size();) {
            if (at_a_beginning) {
                if (auto claim = read_claim(last)) {
                    last = claim;
                    result_.push_back(std::move(*claim));
                    at_a_beginning = false;
                    continue;
                }
            }
            // A claim begins the text, a sentence or a clause.
            at_a_beginning = std::string_view(".;,").find(text_[at_]) != std::string_view::npos;
            ++at_;
        }
        return std::move(result_);
    }

private:
    void skip_blanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool skip(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        skip_blanks();
        return true;
    }
    std::string_view read_word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_name(text_[at_])) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        skip_blanks();
        return word;
    }

    // "acquire <- set:", "seq_cst (outside the model):", "and <- abandon:" after another one. Nothing: the position is
    // restored.
    std::optional<order_claim> read_claim(const std::optional<order_claim>& before) {
        const std::size_t begin = at_;
        skip_blanks();
        (void)skip("and ");
        order_claim claim;
        const std::size_t at_word = at_;
        const auto said = parse_order(read_word());
        if (said) {
            claim.said = *said;
            (void)skip("fence");
            claim.outside_model = skip(outside_the_model);
        } else if (before) {
            claim.said = before->said;
            at_ = at_word;
        }
        const auto arrow = std::ranges::find_if(
            arrows, [&](const spelt_arrow& each) { return text_.substr(at_).starts_with(each.text); });
        if (arrow != arrows.end()) {
            at_ += arrow->text.size();
            claim.goes = arrow->goes;
            read_partners(claim);
        }
        const bool whole = (said || (before && arrow != arrows.end())) && (arrow != arrows.end() || is_ended());
        if (whole) return claim;
        at_ = begin;
        return std::nullopt;
    }

    // "relaxed: ...", "acquire, by default: ...": words up to a colon without a full stop before it.
    [[nodiscard]] bool is_ended() const {
        const std::size_t end = text_.find_first_of(":.;", at_);
        return end == text_.size() || end == std::string_view::npos ? at_ == text_.size() : text_[end] == ':';
    }

    // "is_set, push (load, failure): ...". Only function names are used: "the fence below" is none.
    void read_partners(order_claim& claim) {
        for (;;) {
            skip_blanks();
            const std::size_t begin = at_;
            int depth = 0;
            while (at_ < text_.size() &&
                   (depth > 0 || std::string_view(",:;.").find(text_[at_]) == std::string_view::npos)) {
                depth += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;
                ++at_;
            }
            add_partner(claim, text_.substr(begin, at_ - begin));
            if (at_ == text_.size() || text_[at_] != ',') return;
            ++at_;
        }
    }

    static void add_partner(order_claim& claim, std::string_view text) {
        if (text.starts_with("and ")) text.remove_prefix(4);
        const std::size_t end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_name) - text.begin());
        std::string_view rest = text.substr(end);
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
        const bool alone = rest.empty() || rest.starts_with('(');
        if (end > 0 && alone) claim.partners.emplace_back(text.substr(0, end));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<order_claim> result_;
};

// The functions at whose sites a write at `from` may be read: directly, or through a chain of read-modify-writes.
std::set<std::string> functions_that_read(const audited_site& from, const audited_subject& subject) {
    std::vector<site> sites = from.read_by;
    for (std::size_t known = 0; known != sites.size();) {
        known = sites.size();
        for (const audited_site& each : subject.sites) {
            const role what = each.where.key.what;
            const bool writes_too = what == role::exchange || what == role::fetch || what == role::success;
            if (writes_too && has_site(sites, each.where)) merge_sites(sites, each.read_by);
        }
    }
    std::set<std::string> result;
    for (const site& each : sites) result.insert(each.function);
    return result;
}

std::set<std::string> functions_read_from(const audited_site& to, const audited_subject& subject) {
    std::set<std::string> result;
    for (const audited_site& each : subject.sites) {
        if (functions_that_read(each, subject).contains(to.where.function)) result.insert(each.where.function);
    }
    for (const site& each : to.reads_from) result.insert(each.function);
    return result;
}

bool is_function(const audited_subject& subject, const std::string& name) {
    return std::ranges::any_of(subject.sites, [&](const audited_site& each) { return each.where.function == name; });
}

void doubt_partners(std::vector<std::string>& result, const order_claim& claim, const audited_site& value,
                    const audited_subject& subject) {
    // A fence synchronises through other sites, which its comment does not name.
    if (value.where.key.what == role::fence || claim.goes == order_claim::direction::none) return;
    for (const std::string& partner : claim.partners) {
        if (!is_function(subject, partner)) continue;
        const bool to =
            claim.goes != order_claim::direction::from && functions_that_read(value, subject).contains(partner);
        const bool from =
            claim.goes != order_claim::direction::to && functions_read_from(value, subject).contains(partner);
        if (to || from) continue;
        const bool gives = claim.goes != order_claim::direction::from;
        result.push_back(
            "the comment names " + partner + " as partner, but in no execution " +
            (gives ? "did " + partner + " read what is written here" : "was read here what " + partner + " wrote"));
    }
}

// Whether the order is required at a site: not stronger than one that no scenario needs.
bool is_needed(const audited_site& value, order said) {
    return std::ranges::none_of(value.weaker, [&](const audited_order& each) {
        const bool without = (releases(said) && !releases(each.tried)) || (acquires(said) && !acquires(each.tried));
        return each.verdict == order_verdict::not_required && without;
    });
}

}  // namespace

std::vector<order_claim> claims_of(std::string_view comment) { return claim_reader(comment).read(); }

std::optional<order> order_of(const std::vector<order_claim>& claims) {
    if (claims.empty()) return std::nullopt;
    order result = order::relaxed;
    for (const order_claim& each : claims) {
        if (result == each.said || weaker(each.said, result)) continue;
        result = weaker(result, each.said) ? each.said : order::acq_rel;
    }
    return result;
}

void add_called(std::span<const std::string> lines, std::set<std::string, std::less<>>& called) {
    for (const std::string& line : lines) {
        const std::string_view code = std::string_view(line).substr(0, line.find("//"));
        for (std::size_t open = code.find('('); open != std::string_view::npos; open = code.find('(', open + 1)) {
            std::size_t begin = open;
            while (begin > 0 && is_name(code[begin - 1])) --begin;
            if (begin != open) called.emplace(code.substr(begin, open - begin));
        }
    }
}

namespace {

void doubt_names(std::vector<std::string>& result, const order_claim& claim, const audited_subject& subject,
                 const std::set<std::string, std::less<>>& called) {
    if (called.empty()) return;
    for (const std::string& partner : claim.partners) {
        if (is_function(subject, partner) || called.contains(partner)) continue;
        result.push_back("the comment names " + partner + " as partner, and the sources have no function of that name");
    }
}

}  // namespace

std::vector<std::string> doubts(const audited_site& value, const audited_subject& subject,
                                const std::set<std::string, std::less<>>& called) {
    const std::vector<order_claim> claims = claims_of(value.reason);
    std::vector<std::string> result;
    const auto said = order_of(claims);
    if (!said) return result;
    if (*said != value.where.declared) {
        result.push_back("the comment says " + std::string(to_string(*said)) + ", the code " +
                         std::string(to_string(value.where.declared)));
    }
    // If no value crosses threads here, or executions were cut short, nothing is known of partners.
    const bool held = subject.verdict == verdict::held || subject.verdict == verdict::held_within;
    const bool known = held && !value.met_in.empty() && !(value.reads_from.empty() && value.read_by.empty());
    for (const order_claim& each : claims) {
        doubt_names(result, each, subject, called);
        if (each.outside_model) continue;
        if (known) doubt_partners(result, each, value, subject);
        if (each.goes != order_claim::direction::none && !is_needed(value, each.said)) {
            result.push_back("the comment gives a reason for " + std::string(to_string(each.said)) +
                             ", but by itself no scenario needs it");
        }
    }
    return result;
}

}  // namespace ordeal::detail
