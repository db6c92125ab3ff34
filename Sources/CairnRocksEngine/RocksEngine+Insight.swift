package import CairnEngine
package import CairnRocks

extension RocksEngine: LocatedEngine {}

extension RocksEngine: PageCaching {
    package var pageCache: ValueCache { values }

    /// The database as it is open now: for reading, until the first commit.
    package var database: RocksDB { opening.database }
}
