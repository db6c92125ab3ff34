package import CairnEngine

extension SQLiteEngine: LocatedEngine {}

extension SQLiteEngine: PageCaching {
    package var pageCache: ValueCache { values }
}
