import CairnCore

extension StoreReading {
    /// A large value as the only field of a record, or what is wrong with its bytes.
    ///
    /// - Throws: What the engine throws, except for damage.
    static func record(
        of value: LargeValue,
        _ owner: ObjectID,
        _ property: UInt16,
        in view: StoreView
    ) throws(ObjectStoreError) -> Result<[UInt8], RecordError> {
        var bytes: [UInt8] = []
        Varint.append(UInt64(property) << 3 | UInt64(Wire.bytes), to: &bytes)
        Varint.append(UInt64(value.size), to: &bytes)
        for part in value.parts {
            let key = Keyspace.chunk(owner, property, part.name)
            var result: Result<Void, RecordError> = .failure(part.damaged("is missing"))
            do throws(ObjectStoreError) {
                try unsafe view.lendValue(for: key.span.bytes) { stored in
                    result = Result { () throws(RecordError) in
                        let content = try StoredChunk.content(stored, key, part.damaged)
                        guard content.byteCount == part.size else { throw part.damaged("has the wrong size") }
                        unsafe content.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
                    }
                }
            } catch {
                guard error.code == .corruption else { throw error }
                result = .failure(part.damaged("cannot be read: \(error.message)"))
            }
            if case .failure(let error) = result { return .failure(error.about(field: Int(property))) }
        }
        return .success(bytes)
    }

    /// A record with its large values in it, or what is wrong with them; `nil` if it has none.
    static func whole(
        _ record: RawSpan,
        _ id: ObjectID,
        in view: StoreView
    ) throws(ObjectStoreError) -> Result<[UInt8]?, RecordError> {
        var found: [UInt64: [UInt8]] = [:]
        do throws(RecordError) {
            for (number, value) in try LargeValue.all(record) {
                let result: Result<[UInt8], RecordError>
                do throws(ObjectStoreError) { result = try self.record(of: value, id, UInt16(truncatingIfNeeded: number), in: view) } catch
                {
                    throw RecordError(.failed, error.message, cause: error)
                }
                found[number] = try result.get()
            }
            guard !found.isEmpty else { return .success(nil) }
            var whole = [UInt8](copying: record.extracting(first: try ObjectRecord.header(record).size))
            try RecordFields.forEach(record) { field in
                if let large = found[field.number] { whole += large } else { whole += [UInt8](copying: field.bytes) }
            }
            return .success(whole)
        } catch {
            if let cause = error.cause as? ObjectStoreError { throw cause }
            return .failure(error)
        }
    }

    /// Reads large values of a record into its object.
    ///
    /// - Parameter wanted: Whether to read the property with an index.
    /// - Throws: For the first that cannot be read; the others have been read.
    static func readLargeValues(
        of record: RawSpan,
        into object: any StoredObject,
        _ id: ObjectID,
        _ stored: StoredClass,
        in view: StoreView,
        _ storeName: String,
        where wanted: (Int) -> Bool
    ) throws(ObjectStoreError) {
        guard let schema = stored.schema else { return }
        let values: [UInt64: LargeValue]
        do throws(RecordError) { values = try LargeValue.all(record) } catch { throw damage(id, stored, error, storeName) }
        var failure: ObjectStoreError?
        for index in schema.properties.indices where wanted(index) {
            let number = stored.fields[index]
            guard number > 0, let value = values[UInt64(number)] else { continue }
            let found = try self.record(of: value, id, UInt16(truncatingIfNeeded: number), in: view)
            do throws(RecordError) { try object.assign(index, try found.get(), stored.fields) } catch {
                failure = failure ?? damage(id, stored, error, storeName)
            }
        }
        if let failure { throw failure }
    }
}

extension LargeValue.Part {
    fileprivate func damaged(_ what: String) -> RecordError {
        RecordError(.malformed, "part \(name.save).\(name.number) of its large value, with \(size) bytes, \(what)")
    }
}

extension StoredIndex {
    /// Whether one of its properties is among large values (``ObjectState/unread``).
    func reads(_ large: UInt16, of stored: StoredClass) -> Bool {
        guard let schema = stored.schema else { return false }
        return schema.properties.indices.contains { properties & ObjectState.bit($0) != 0 && large & schema.largeBit($0) != 0 }
    }
}
