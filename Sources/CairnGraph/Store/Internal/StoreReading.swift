import CairnCore

/// Finds records in the engine.
enum StoreReading {
    /// Lends the record of an object to `body`, which is not called if there is none.
    /// - Parameter stored: The class, for error messages.
    static func record(
        _ id: ObjectID,
        _ stored: StoredClass,
        in view: StoreView,
        _ body: (RawSpan) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        var isLarge = false
        var isWhole = true
        var failure: ObjectStoreError?
        let key = Keyspace.page(id.classNumber, ObjectPage.page(of: id.row))
        view.noteRead(key)
        do throws(EngineError) {
            _ = unsafe try view.engineView.lendValue(for: key.span.bytes) { page in
                guard let record = ObjectPage.record(ObjectPage.slot(of: id.row), of: page, isWhole: &isWhole) else { return }
                guard !record.isEmpty else {
                    isLarge = true
                    return
                }
                do throws(ObjectStoreError) { try body(record) } catch { failure = error }
            }
        } catch {
            throw unreadable(id, stored, error)
        }
        if let failure { throw failure }
        guard isWhole else { throw damagedPage(id, stored) }
        guard isLarge else { return }
        let isThere: Bool
        let largeKey = Keyspace.large(id)
        view.noteRead(largeKey)
        do throws(EngineError) {
            isThere = unsafe try view.engineView.lendValue(for: largeKey.span.bytes) { record in
                do throws(ObjectStoreError) { try body(record) } catch { failure = error }
            }
        } catch {
            throw unreadable(id, stored, error)
        }
        if let failure { throw failure }
        guard isThere else { throw damagedPage(id, stored) }
    }

    /// The error for an object that the engine failed to read.
    private static func unreadable(_ id: ObjectID, _ stored: StoredClass, _ error: EngineError) -> ObjectStoreError {
        let code = ObjectStoreError(error).code
        return ObjectStoreError(code, "\(stored.name) \(id.row) cannot be read: \(error.message)", object: id, cause: error)
    }

    static func damage(_ id: ObjectID, _ stored: StoredClass, _ cause: RecordError?, _ storeName: String) -> ObjectStoreError {
        let property =
            cause?.index.flatMap { stored.schema?.properties[$0].name }
            ?? cause?.field.flatMap { field in
                stored.entry.properties.indices.contains(field - 1) ? stored.entry.properties[field - 1].name : nil
            }
        let place = property.map { ", property \($0)" } ?? ""
        return ObjectStoreError(
            ObjectStoreError.Code(cause),
            "\(stored.name) \(id.row)\(place) of \(storeName) cannot be read: \(cause?.message ?? "its record is damaged"). Other objects are not affected",
            object: id,
            cause: cause
        )
    }

    static func damagedPage(_ id: ObjectID, _ stored: StoredClass) -> ObjectStoreError {
        var error = ObjectStoreError(
            .corruption,
            "the page with \(stored.name) \(max(id.row, 1)) is damaged: up to \(ObjectPage.rowCount) objects cannot be read",
            object: id
        )
        error.objectCount = ObjectPage.rowCount
        return error
    }
}

extension StoreReading {
    /// Calls `body` with the shredded objects of a class.
    static func forEachShredded(
        _ stored: StoredClass,
        in view: StoreView,
        _ body: (ObjectID) -> Void
    ) throws(ObjectStoreError) {
        guard stored.isShreddable else { return }
        try view.forEachPortion(of: Keyspace.pages(stored.number)) { portion throws(ObjectStoreError) in
            for (key, bytes) in portion {
                guard let first = unsafe Keyspace.firstRow(ofPage: key.span.bytes) else { continue }
                let isWhole = unsafe try ObjectPage.forEach(bytes.span.bytes) { slot, record throws(ObjectStoreError) in
                    let id = ObjectID(class: stored.number, row: first + UInt64(slot))
                    if try isShredded(id, stored, record, in: view) { body(id) }
                }
                guard isWhole else { throw damagedPage(ObjectID(class: stored.number, row: max(first, 1)), stored) }
            }
        }
    }

    /// Whether an object was shredded, by its record in its page.
    static func isShredded(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: RawSpan,
        in view: StoreView
    ) throws(ObjectStoreError) -> Bool {
        guard stored.isShreddable else { return false }
        guard record.isEmpty else { return GroupedRecord.isShredded(record) }
        var isShredded = false
        try StoreReading.record(id, stored, in: view) { isShredded = GroupedRecord.isShredded($0) }
        return isShredded
    }
}

extension ObjectRecord {
    /// Whether an older version of the class wrote a record. Such a record has no index entries: its migrated values may depend on other objects, and
    /// are final only once it is saved.
    static func isOlder(_ record: RawSpan, _ stored: StoredClass) -> Bool {
        Header(record).map { $0.version < stored.version } ?? false
    }
}
