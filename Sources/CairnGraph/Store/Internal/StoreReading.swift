import CairnCore

/// Finds records in the engine.
enum StoreReading {
    /// Lends the record of an object to `body`, which is not called if there is none.
    /// - Parameter stored: The class, for error messages.
    static func record(
        _ id: ObjectID,
        _ stored: StoredClass,
        in view: any EngineView,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ObjectStoreError) {
        var isLarge = false
        var isWhole = true
        let key = Keyspace.page(id.classNumber, ObjectPage.page(of: id.row))
        do throws(EngineError) {
            _ = unsafe try view.lendValue(for: key.span.bytes) { page in
                unsafe page.withUnsafeBytes { page in
                    guard let record = unsafe ObjectPage.record(ObjectPage.slot(of: id.row), of: page, isWhole: &isWhole) else { return }
                    if unsafe record.isEmpty { isLarge = true } else { unsafe body(record) }
                }
            }
        } catch {
            throw unreadable(id, stored, error)
        }
        guard isWhole else { throw damagedPage(id, stored) }
        guard isLarge else { return }
        let isThere: Bool
        do throws(EngineError) {
            isThere = unsafe try view.lendValue(for: Keyspace.large(id).span.bytes) { record in
                unsafe record.withUnsafeBytes { unsafe body($0) }
            }
        } catch {
            throw unreadable(id, stored, error)
        }
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
            "\(stored.name) \(id.row)\(place) of \(storeName) cannot be read: \(cause?.message ?? "its record is damaged"). Other objects are not concerned",
            object: id,
            cause: cause
        )
    }

    static func damagedPage(_ id: ObjectID, _ stored: StoredClass) -> ObjectStoreError {
        ObjectStoreError(
            .corruption,
            "the page with \(stored.name) \(id.row) is damaged: up to \(ObjectPage.rowCount) objects cannot be read",
            object: id
        )
    }
}

extension StoreReading {
    /// Calls `body` with the shredded objects of a class.
    static func forEachShredded(
        _ stored: StoredClass,
        in view: any EngineView,
        _ body: (ObjectID) -> Void
    ) throws(ObjectStoreError) {
        guard stored.isShreddable else { return }
        try view.forEachPortion(of: Keyspace.pages(stored.number)) { portion throws(ObjectStoreError) in
            for (key, bytes) in portion {
                guard let first = unsafe Keyspace.firstRow(ofPage: key.span.bytes) else { continue }
                let span = unsafe bytes.span.bytes
                defer { withExtendedLifetime(bytes) {} }
                let isWhole = unsafe try span.withUnsafeBytes { page throws(ObjectStoreError) in
                    unsafe try ObjectPage.forEach(page) { slot, record throws(ObjectStoreError) in
                        let id = ObjectID(class: stored.number, row: first + UInt64(slot))
                        if unsafe try isShredded(id, stored, record, in: view) { body(id) }
                    }
                }
                guard isWhole else { throw damagedPage(ObjectID(class: stored.number, row: max(first, 1)), stored) }
            }
        }
    }

    /// Whether an object was shredded, by its record in its page.
    static func isShredded(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: UnsafeRawBufferPointer,
        in view: any EngineView
    ) throws(ObjectStoreError) -> Bool {
        guard stored.isShreddable else { return false }
        guard unsafe record.isEmpty else { return unsafe GroupedRecord.isShredded(record) }
        var isShredded = false
        unsafe try StoreReading.record(id, stored, in: view) { unsafe isShredded = GroupedRecord.isShredded($0) }
        return isShredded
    }
}

extension ObjectRecord {
    /// Whether an older version of the class wrote a record. Such a record has no index entries: its migrated values may depend on other objects, and
    /// are final only once it is saved.
    static func isOlder(_ record: UnsafeRawBufferPointer, _ stored: StoredClass) -> Bool {
        (unsafe Header(record)).map { $0.version < stored.version } ?? false
    }
}
