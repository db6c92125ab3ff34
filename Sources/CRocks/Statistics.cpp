// Statistics by name, their level, and over time.
#include "Internal.hpp"

#include <rocksdb/stats_history.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace {

using Index = std::unordered_map<std::string, uint32_t>;

template <class Names> Index index_of(const Names &names) {
    Index index;
    for (const auto &entry : names) { index[entry.second] = entry.first; }
    return index;
}

std::optional<uint32_t> find(const Index &index, crk_bytes name) {
    const auto found = index.find(crk::slice(name).ToString());
    if (found == index.end()) { return std::nullopt; }
    return found->second;
}

crk_histogram histogram(const crk_statistics &statistics, uint32_t kind) {
    rocksdb::HistogramData data;
    statistics.object->histogramData(kind, &data);
    return {data.median, data.percentile95, data.percentile99, data.average, data.standard_deviation, data.max, data.min, data.count,
        data.sum};
}

}  // namespace

crk_statistics *crk_statistics_create(void) {
    try {
        return new crk_statistics{rocksdb::CreateDBStatistics()};
    } catch (...) {
        return nullptr;
    }
}
void crk_statistics_tickers(const crk_statistics *statistics, void *context, void (*each)(void *, crk_bytes, uint64_t)) {
    for (const auto &entry : rocksdb::TickersNameMap) {
        each(context, crk::lend(entry.second), statistics->object->getTickerCount(entry.first));
    }
}
void crk_statistics_histograms(const crk_statistics *statistics, void *context, void (*each)(void *, crk_bytes, crk_histogram)) {
    for (const auto &entry : rocksdb::HistogramsNameMap) { each(context, crk::lend(entry.second), histogram(*statistics, entry.first)); }
}
crk_status crk_statistics_reset(crk_statistics *statistics) {
    return crk::guarded([&] { return statistics->object->Reset(); });
}
void crk_statistics_release(crk_statistics *statistics) { delete statistics; }

bool crk_statistics_count(const crk_statistics *statistics, crk_bytes name, bool reset, uint64_t *count) {
    static const Index index = index_of(rocksdb::TickersNameMap);
    const auto ticker = find(index, name);
    if (!ticker) { return false; }
    *count = reset ? statistics->object->getAndResetTickerCount(*ticker) : statistics->object->getTickerCount(*ticker);
    return true;
}
bool crk_statistics_histogram(const crk_statistics *statistics, crk_bytes name, crk_histogram *out) {
    static const Index index = index_of(rocksdb::HistogramsNameMap);
    const auto kind = find(index, name);
    if (!kind) { return false; }
    *out = histogram(*statistics, *kind);
    return true;
}
uint8_t crk_statistics_level(const crk_statistics *statistics) { return statistics->object->get_stats_level(); }
void crk_statistics_set_level(crk_statistics *statistics, uint8_t level) {
    statistics->object->set_stats_level(static_cast<rocksdb::StatsLevel>(level));
}
crk_status crk_statistics_text(const crk_statistics *statistics, void *context, crk_sink found) {
    return crk::guarded([&] {
        const std::string text = statistics->object->ToString();
        found(context, crk::lend(text));
        return rocksdb::Status::OK();
    });
}

crk_status crk_statistics_history(crk_db *db, uint64_t from, uint64_t to, void *context, void (*at)(void *, uint64_t),
    crk_number_sink each) {
    return crk::in_database(db, [&] {
        std::unique_ptr<rocksdb::StatsHistoryIterator> record;
        // Records on disk end at this time; reading from there would start over, forever.
        constexpr uint64_t no_time = UINT64_MAX;
        rocksdb::Status status = db->db->GetRootDB()->GetStatsHistory(std::min(from, no_time - 1), std::min(to, no_time - 1), &record);
        if (!status.ok()) { return status; }
        for (; record->Valid(); record->Next()) {
            at(context, record->GetStatsTime());
            for (const auto &entry : record->GetStatsMap()) { each(context, crk::lend(entry.first), entry.second); }
        }
        return record->status();
    });
}
