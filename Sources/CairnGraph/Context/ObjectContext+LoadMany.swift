import CairnCore

extension ObjectContext {
    /// Reads the values of objects that have not been read yet, all at once: each page of the store is read once for all objects in it.
    ///
    /// - Throws: Same as ``load(_:)-(StoredObject)``, for the first object that cannot be read; the others may have been read.
    public func load<Object: StoredObject>(_ objects: some Sequence<Object>) throws(ObjectStoreError) {
        var faults: [any StoredObject] = []
        for object in objects where object.isFault { faults.append(object) }
        try loadFaults(faults)
    }

    /// - Parameter takesLarge: Whether to read records that are stored outside their pages too, one by one.
    func loadFaults(_ faults: [any StoredObject], takesLarge: Bool = true) throws(ObjectStoreError) {
        guard !faults.isEmpty else { return }
        let rest = try readPages(of: faults, try currentView())
        for object in rest where takesLarge && object.isFault {
            guard let stored = store.storedClass(number: object._$state.id.classNumber) else { continue }
            try load(object, stored)
        }
    }

    /// Gives objects without unsaved changes the values that they have in a state; faults, and objects that no longer exist, stay as they are.
    func refresh(_ objects: [any StoredObject], _ view: StoreView) throws(ObjectStoreError) {
        let loaded = objects.filter { !$0.isFault && !$0.hasUnsavedChanges }
        for object in try readPages(of: loaded, view) { try refresh(object, view) }
    }

    /// Reads the values of objects whose records have changed; reads each page once. Returns the objects that have no record in their page, or a large
    /// one.
    private func readPages(of objects: [any StoredObject], _ view: StoreView) throws(ObjectStoreError) -> [any StoredObject] {
        let sorted = objects.sorted { $0._$state.id < $1._$state.id }
        var keys = KeyList()
        var groups: [Range<Int>] = []
        for (index, object) in sorted.enumerated() {
            let id = object._$state.id
            if let last = groups.last, sorted[last.lowerBound]._$state.id.firstOfPage == id.firstOfPage {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
                keys.append(Keyspace.page(id.classNumber, ObjectPage.page(of: id.row)))
            }
        }
        var rest: [any StoredObject] = []
        try view.lendValues(for: keys) { index, page throws(ObjectStoreError) in
            for object in sorted[groups[index]] {
                let isThere = if let page { try read(object, of: page) } else { false }
                if !isThere { rest.append(object) }
            }
        }
        return rest
    }

    /// Reads an object, unless it has these values. Returns false if its record is not in the page.
    private func read(_ object: any StoredObject, of page: RawSpan) throws(ObjectStoreError) -> Bool {
        let id = object._$state.id
        guard let stored = store.storedClass(number: id.classNumber) else { return true }
        var isWhole = true
        let record = ObjectPage.record(ObjectPage.slot(of: id.row), of: page, isWhole: &isWhole)
        guard isWhole else { throw StoreReading.damagedPage(id, stored) }
        guard let record, !record.isEmpty else { return false }
        if object.isFault || object._$state.wantsRecord(ObjectRecord.Header(record)?.changeCount) { try read(object, stored, record) }
        return true
    }
}

extension ObjectCollection {
    /// The objects, all with their values.
    func loaded<Element>(_ owner: (any StoredObject)?, _ property: Int) throws(ObjectStoreError) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(ids.count)
        var faults: [any StoredObject] = []
        for position in ids.indices {
            let element: Element = Relationships.element(position, of: self, owner, property)
            elements.append(element)
            if let object = element as? any StoredObject, object.isFault { faults.append(object) }
        }
        try owner?.objectContext?.loadFaults(faults)
        return elements
    }
}

extension ObjectList {
    /// Returns the elements as an array, all with their values: each page of the store is read once for all objects in it.
    ///
    /// - Throws: Same as ``ObjectContext/load(_:)-(StoredObject)``.
    public func load() throws(ObjectStoreError) -> [Element] { try _$storage.loaded(owner, property) }
}

extension ObjectSet {
    /// Returns the elements as an array, all with their values: each page of the store is read once for all objects in it.
    ///
    /// - Throws: Same as ``ObjectContext/load(_:)-(StoredObject)``.
    public func load() throws(ObjectStoreError) -> [Element] { try content.loaded(owner, property) }
}
