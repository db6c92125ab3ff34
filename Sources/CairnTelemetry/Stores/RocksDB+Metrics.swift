#if Telemetry
import CairnCore
public import CairnRocks

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RocksDB: MonitoredStore {
    public func currentMetrics() throws -> [StoreMetric]? {
        do throws(RocksError) {
            var metrics = try databaseMetrics()
            for name in columnFamilyNames {
                do throws(RocksError) { metrics += try Self.metrics(of: columnFamily(name)) } catch {
                    // Dropped meanwhile.
                    guard error.code == .columnFamilyDropped || error.code == .columnFamilyNotFound else { throw error }
                }
            }
            if let statistics { metrics += Self.metrics(of: statistics) }
            return metrics
        } catch {
            guard error.code != .closed else { return nil }
            throw error
        }
    }

    public func closeForGood() throws { try close() }

    /// What concerns the whole database.
    private func databaseMetrics() throws(RocksError) -> [StoreMetric] {
        var metrics: [StoreMetric] = [.counter("cairn_rocks_sequence_number_total", try latestSequenceNumber())]
        for (name, property) in Self.databaseGauges {
            if let value = try self.property(property) { metrics.append(.gauge(name, value)) }
        }
        if let errors = try property(.backgroundErrors) { metrics.append(.counter("cairn_rocks_background_errors_total", errors)) }
        if let time = try property(.oldestSnapshotTime) {
            let age = time == 0 ? 0 : max(0, Int64(Date().timeIntervalSince1970) - Int64(clamping: time))
            metrics.append(.gauge("cairn_rocks_oldest_snapshot_age_seconds", age))
        }
        let memory = try memoryUse()
        metrics.append(.gauge("cairn_rocks_cache_bytes", memory.caches.bytes))
        return metrics
    }

    private static let databaseGauges: [(String, Property<UInt64>)] = [
        ("cairn_rocks_running_flushes", .numRunningFlushes),
        ("cairn_rocks_running_compactions", .numRunningCompactions),
        ("cairn_rocks_snapshots", .numSnapshots),
        ("cairn_rocks_writes_stopped", Property(name: Property<Bool>.isWriteStopped.name)),
        ("cairn_rocks_delayed_write_bytes_per_second", Property(name: Property<ByteCount>.actualDelayedWriteRate.name)),
    ]

    private static func metrics(of family: ColumnFamily) throws(RocksError) -> [StoreMetric] {
        let dimension = StoreMetric.Dimension("column_family", family.name)
        var metrics: [StoreMetric] = []
        for (name, property) in familyGauges {
            if let value = try family.intProperty(property) { metrics.append(.gauge(name, value, [dimension])) }
        }
        for level in 0..<64 {
            guard let files = try family.property(.numFilesAtLevel(level)) else { break }
            metrics.append(.gauge("cairn_rocks_level_files", files, [dimension, StoreMetric.Dimension("level", "\(level)")]))
        }
        return metrics
    }

    private static let familyGauges: [(String, String)] = [
        ("cairn_rocks_estimated_keys", Property<UInt64>.estimateNumKeys.name),
        ("cairn_rocks_memtable_bytes", Property<ByteCount>.sizeAllMemTables.name),
        ("cairn_rocks_immutable_memtables", Property<UInt64>.numImmutableMemTable.name),
        ("cairn_rocks_table_reader_bytes", Property<ByteCount>.estimateTableReadersMem.name),
        ("cairn_rocks_file_bytes", Property<ByteCount>.liveSSTFilesSize.name),
        ("cairn_rocks_estimated_live_bytes", Property<ByteCount>.estimateLiveDataSize.name),
        ("cairn_rocks_blob_file_bytes", Property<ByteCount>.liveBlobFileSize.name),
        ("cairn_rocks_compaction_pending", Property<Bool>.compactionPending.name),
        ("cairn_rocks_pending_compaction_bytes", Property<ByteCount>.estimatePendingCompactionBytes.name),
        ("cairn_rocks_live_versions", Property<UInt64>.numLiveVersions.name),
        ("cairn_rocks_block_cache_bytes", Property<ByteCount>.blockCacheUsage.name),
        ("cairn_rocks_block_cache_pinned_bytes", Property<ByteCount>.blockCachePinnedUsage.name),
        ("cairn_rocks_block_cache_capacity_bytes", Property<ByteCount>.blockCacheCapacity.name),
    ]

    // MARK: Statistics

    /// Tickers and histograms that have counted something.
    private static func metrics(of statistics: Statistics) -> [StoreMetric] {
        var metrics: [StoreMetric] = []
        for (name, count) in statistics.tickers where count > 0 { metrics.append(.counter(metricName(name) + "_total", count)) }
        for (name, histogram) in statistics.histograms where histogram.count > 0 {
            let metric = metricName(name)
            for (quantile, value) in [("0.5", histogram.median), ("0.95", histogram.percentile95), ("0.99", histogram.percentile99)] {
                metrics.append(StoreMetric(.gauge, metric, value, [StoreMetric.Dimension("quantile", quantile)]))
            }
            metrics.append(.counter(metric + "_count", histogram.count))
            metrics.append(.counter(metric + "_sum", histogram.sum))
        }
        return metrics
    }

    /// `rocksdb.block.cache.hit` becomes `cairn_rocks_block_cache_hit`.
    static func metricName(_ name: String) -> String {
        let rest = name.hasPrefix("rocksdb.") ? name.dropFirst("rocksdb.".count) : name[...]
        return "cairn_rocks_" + String(rest.map { $0.isLetter || $0.isNumber ? $0 : "_" }).lowercased()
    }
}
#endif
