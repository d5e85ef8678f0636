#include <ordeal/trial.h>
#include <array>
#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace {
int plain_global = 0;
std::atomic<int> flag{0};
thread_local int own = 0;
struct node {
    int value = 0;
    node* next = nullptr;
};
struct shape {
    virtual ~shape() = default;
    virtual int area() const { return 0; }
};
struct square : shape {
    int side = 1;
    std::atomic<int> seen{0};
    int area() const override { return side; }
};
struct padded {
    alignas(64) std::atomic<int> head{0};
    alignas(64) std::atomic<int> tail{0};
    std::array<int, 4> cells{};
};
void run(auto one, auto two) {
    std::thread a(one), b(two);
    a.join();
    b.join();
}
int counter() {
    static int calls = 0;
    return ++calls;
}
}  // namespace
ORDEAL_TRIAL("global") {
    run(
        [] {
            plain_global = 1;
            flag.store(1);
        },
        [] {
            plain_global = 2;
            flag.load();
        });
}
ORDEAL_TRIAL("local") {
    int n = 0;
    std::atomic<int> m{0};
    run(
        [&] {
            ++n;
            ++m;
        },
        [&] {
            ++n;
            ++m;
        });
}
ORDEAL_TRIAL("static_local") {
    run([] { counter(); }, [] { counter(); });
}
ORDEAL_TRIAL("new_node") {
    auto* n = new node;
    run([=] { n->value = 1; }, [=] { n->value = 2; });
    delete n;
}
ORDEAL_TRIAL("unique") {
    auto n = std::make_unique<node>();
    run([&] { n->value = 1; },
        [&] {
            n->next = nullptr;
            n->value = 3;
        });
}
ORDEAL_TRIAL("shared") {
    auto n = std::make_shared<node>();
    run([n] { n->value = 1; }, [n] { n->value = 3; });
}
ORDEAL_TRIAL("vector") {
    std::vector<int> v(3);
    run([&] { v[1] = 1; }, [&] { v[1] = 3; });
}
ORDEAL_TRIAL("vector_grows") {
    std::vector<int> v;
    run([&] { v.push_back(1); }, [&] { v.push_back(2); });
}
ORDEAL_TRIAL("list") {
    std::list<node> v;
    run([&] { v.push_back({}); }, [&] { v.push_back({}); });
}
ORDEAL_TRIAL("map") {
    std::map<int, node> v;
    run([&] { v[1].value = 1; }, [&] { v[1].value = 2; });
}
ORDEAL_TRIAL("deque") {
    std::deque<node> v;
    run([&] { v.push_back({}); }, [&] { v.push_back({}); });
}
ORDEAL_TRIAL("string") {
    std::string s = "a long string that needs the heap";
    run([&] { s[3] = 'x'; }, [&] { s[3] = 'y'; });
}
ORDEAL_TRIAL("virtual") {
    std::unique_ptr<shape> s = std::make_unique<square>();
    auto* q = static_cast<square*>(s.get());
    run([&] { q->side = 2; }, [&] { s->area(); });
}
ORDEAL_TRIAL("virtual_new") {
    shape* s = new square;
    run([&] { static_cast<square*>(s)->side = 2; }, [&] { s->area(); });
    delete s;
}
ORDEAL_TRIAL("padded") {
    padded p;
    run(
        [&] {
            p.head = 1;
            p.cells[2] = 1;
        },
        [&] {
            p.tail = 2;
            p.cells[2] = 2;
        });
}
ORDEAL_TRIAL("optional") {
    std::optional<int> o;
    run([&] { o = 1; }, [&] { o = 2; });
}
ORDEAL_TRIAL("tagged") {
    struct box {
        std::atomic<std::uintptr_t> word{0};
    };
    box b;
    node n;
    run(
        [&] {
            b.word = reinterpret_cast<std::uintptr_t>(&n) | 1;
            n.value = 1;
        },
        [&] {
            b.word.load();
            n.value = 2;
        });
}
ORDEAL_TRIAL("mutex") {
    std::mutex m;
    int n = 0;
    run(
        [&] {
            std::lock_guard l(m);
            ++n;
        },
        [&] { ++n; });
}
ORDEAL_TRIAL("condition") {
    std::mutex m;
    std::condition_variable cv;
    bool ready = false;
    run(
        [&] {
            std::unique_lock l(m);
            if (!ready) cv.wait(l);
        },
        [&] {
            {
                std::lock_guard l(m);
                ready = true;
            }
            cv.notify_one();
        });
}
ORDEAL_TRIAL("array_of_atomics") {
    auto a = std::make_unique<std::atomic<int>[]>(2);
    run(
        [&] {
            a[1] = 1;
            plain_global = 1;
        },
        [&] {
            a[0] = 2;
            plain_global = 2;
        });
}
ORDEAL_TRIAL("bitfield") {
    struct bits {
        unsigned a : 3;
        unsigned b : 5;
    } b{};
    run([&] { b.a = 1; }, [&] { b.b = 1; });
}
ORDEAL_TRIAL("union") {
    union {
        int i;
        float f;
    } u{};
    run([&] { u.i = 1; }, [&] { u.f = 1; });
}
ORDEAL_TRIAL("double_wide") {
    struct two {
        void* p;
        std::size_t n;
    };
    std::atomic<two> w{};
    node n;
    run(
        [&] {
            w.store({&n, 1});
            n.value = 1;
        },
        [&] {
            n.value = 2;
            w.load();
        });
}
ORDEAL_TRIAL("leak") {
    auto* n = new node;
    run([=] { n->value = 1; }, [] {});
}
ORDEAL_TRIAL("thread_local") {
    int* where = nullptr;
    std::atomic<bool> set{false};
    run(
        [&] {
            own = 1;
            where = &own;
            set.store(true);
        },
        [&] {
            if (set.load()) *where = 2;
        });
}
