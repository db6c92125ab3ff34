#include "RivalMMKV.h"

#include "Core/MMKV.h"

#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

struct rival_mmkv {
    MMKV *store;
};

namespace {

constexpr size_t key_size = 12;

std::string_view key_at(const uint8_t *keys, uint32_t row) {
    return {reinterpret_cast<const char *>(keys) + size_t(row) * key_size, key_size};
}

}  // namespace

const char *rival_mmkv_version(void) { return MMKV_VERSION; }

rival_mmkv *rival_mmkv_open(const char *directory, bool is_shared) {
    const std::string root = directory;
    static std::once_flag once;
    std::call_once(once, [&] { MMKV::initializeMMKV(root, MMKVLogNone); });
    MMKVConfig config;
    config.mode = is_shared ? MMKV_MULTI_PROCESS : MMKV_SINGLE_PROCESS;
    config.rootPath = &root;
    MMKV *store = MMKV::mmkvWithID("store", config);
    return store ? new rival_mmkv{store} : nullptr;
}

void rival_mmkv_close(rival_mmkv *store) {
    store->store->close();
    delete store;
}

bool rival_mmkv_set_ints(rival_mmkv *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t base) {
    bool is_set = true;
    for (size_t i = 0; i < count && is_set; i++) { is_set = store->store->set(base + order[i], key_at(keys, order[i])); }
    return is_set;
}

bool rival_mmkv_set_strings(rival_mmkv *store, const uint8_t *keys, const uint32_t *order, size_t count, const uint8_t *value, size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(value), size);
    bool is_set = true;
    for (size_t i = 0; i < count && is_set; i++) { is_set = store->store->set(text, key_at(keys, order[i])); }
    return is_set;
}

void rival_mmkv_get_ints(
    rival_mmkv *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing) {
    for (size_t i = 0; i < count; i++) {
        bool is_there = false;
        const uint64_t number = store->store->getUInt64(key_at(keys, order[i]), 0, &is_there);
        *sum += number;
        *missing += !is_there;
    }
}

void rival_mmkv_get_strings(
    rival_mmkv *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing) {
    for (size_t i = 0; i < count; i++) {
        std::string text;
        if (!store->store->getString(key_at(keys, order[i]), text)) {
            ++*missing;
            continue;
        }
        uint64_t word;
        std::memcpy(&word, text.data(), sizeof word);
        *sum += word;
    }
}
