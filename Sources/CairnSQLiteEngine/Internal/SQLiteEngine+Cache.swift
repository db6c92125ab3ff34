package import CairnEngine

extension SQLiteEngine: PageCaching {
    package var pageCache: ValueCache { values }
}
