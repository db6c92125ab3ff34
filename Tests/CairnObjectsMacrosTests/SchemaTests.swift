import CairnObjects
import Testing

struct SchemaTests {
    @Test func theSchemaSaysWhatWasDeclared() {
        let schema = Song.objectSchema
        #expect(schema.name == "Track" && schema.formerNames == ["Tune"] && schema.version == 3)
        #expect(
            schema.properties.map(\.name)
                == ["artist", "title", "seconds", "released", "code", "genre", "tags", "place", "volume", "album"]
        )
        #expect(schema.properties.filter { !$0.formerNames.isEmpty }.map(\.formerNames) == [["year"]])
        #expect(schema.indexes.map(\.properties) == [["artist"], ["code"], ["artist", "title"]])
        #expect(schema.indexes.map(\.isUnique) == [false, true, false])
        #expect(Album.objectSchema.name == "Album" && Album.objectSchema.version == 1 && Album.objectSchema.formerNames.isEmpty)
    }

    @Test func valuesAndRelationshipsAreToldApart() {
        let shapes = Album.objectSchema.properties.map { property -> String in
            switch property.kind {
            case .value: "value"
            case .relationship(let relationship): "\(relationship.shape.rawValue) \(relationship.deleteRule)"
            }
        }
        #expect(shapes == ["value", "value", "value", "list cascade", "set nullify", "dictionary nullify"])
        guard case .value(let type) = Song.objectSchema.properties[7].kind else {
            Issue.record("not a value")
            return
        }
        #expect(type == .of(Place?.self))
    }

    @Test func aStoredClassIsFoundByItsProtocol() {
        let classes: [any StoredObject.Type] = [Song.self, Album.self, ByHand.self]
        #expect(classes.map { $0.objectSchema.name } == ["Track", "Album", "ByHand"])
    }
}
