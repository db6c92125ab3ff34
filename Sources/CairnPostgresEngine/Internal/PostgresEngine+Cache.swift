package import CairnEngine

extension PostgresEngine: PageCaching {
    package var pageCache: ValueCache { pool.values }
}
