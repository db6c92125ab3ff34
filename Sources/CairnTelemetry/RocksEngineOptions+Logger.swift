#if Telemetry
public import CairnRocksEngine
import CairnRocks
public import Logging

extension RocksEngineOptions {
    /// Sends what RocksDB reports about an object store's database to a logger, as `DatabaseOptions.log(to:as:)` does.
    ///
    /// - Parameters:
    ///   - logger: Where messages go.
    ///   - name: The store's name in the metadata.
    public mutating func log(to logger: Logger, as name: String) {
        RocksLog(logger, name).attach(to: &logHandler, &events)
    }
}
#endif
