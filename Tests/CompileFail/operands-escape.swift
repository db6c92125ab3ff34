// expected: lifetime-dependent variable 'span' escapes its scope
import CairnRocks

func keep() -> MergeOperator {
    MergeOperator(name: "keep") { _, _, operands in
        var kept = RawSpan()
        func save(_ span: RawSpan) { kept = span }
        save(operands[0])
        return [UInt8](copying: kept)
    }
}
