import SwiftSyntax
import SwiftSyntaxBuilder

extension StoredClass {
    /// Everything that `@Stored` adds to the class.
    var members: [DeclSyntax] {
        var members: [DeclSyntax] = [
            "@safe @exclusivity(unchecked) \(raw: access.memberModifier)var _$state = CairnGraph.ObjectState()"
        ]
        if !hasInitializer { members.append(memberwiseInitializer) }
        return members + [faultInitializer, reading, writing, clearing, schema]
    }

    private var clearing: DeclSyntax {
        let lines = properties.map { property in
            if case .toOne = property.kind { "\(property.name.storage) = .none" } else { "\(property.name.storage) = nil" }
        }
        return "\(raw: access.memberModifier)func _$clear() \(raw: block(lines))"
    }

    private var reading: DeclSyntax {
        var lines = isHandCoded ? ["try self._$readByHand(&reader)"] : []
        lines += written.map { index, property in
            let storage = property.name.storage
            return switch property.kind {
            case .value: "\(storage) = try reader.read(\(index), default: \(property.fallback)) as \(property.type.trimmed)"
            case .toOne: "\(storage) = try reader.readReference(\(index))"
            case .toMany: "\(storage) = try reader.readCollection(\(index))"
            }
        }
        return
            "\(raw: access.memberModifier)func _$read(_ reader: inout CairnGraph.RecordReader) throws(CairnGraph.RecordError) \(raw: block(lines))"
    }

    private var writing: DeclSyntax {
        var lines = isHandCoded ? ["self._$writeByHand(&writer)"] : []
        lines += written.map { index, property in
            let storage = property.name.storage
            return property.isRelationship
                ? "writer.write(\(storage), field: fields[\(index)])"
                : "if let value = \(storage) { writer.write(value, field: fields[\(index)]) }"
        }
        return
            "\(raw: access.memberModifier)func _$write(_ writer: inout CairnGraph.RecordWriter, _ fields: CairnGraph.FieldMap) \(raw: block(lines))"
    }
}

/// Lines in braces.
func block(_ lines: [String]) -> String {
    lines.isEmpty ? "{}" : "{\n" + lines.flatMap { $0.split(separator: "\n") }.map { "    \($0)\n" }.joined() + "}"
}
