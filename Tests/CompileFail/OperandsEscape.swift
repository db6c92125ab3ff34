// The operands of a merge are lent for the call.
import CairnRocks

func keep() -> MergeOperator {
    MergeOperator(name: "keep") { _, _, operands in
        var kept = RawSpan()
        func save(_ span: RawSpan) {  // error: escapes its scope
            kept = span
        }
        save(operands[0])
        return [UInt8](copying: kept)
    }
}
