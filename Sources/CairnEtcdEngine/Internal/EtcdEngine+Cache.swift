package import CairnEngine

extension EtcdEngine: PageCaching {
    package var pageCache: ValueCache { pool.values }
}
