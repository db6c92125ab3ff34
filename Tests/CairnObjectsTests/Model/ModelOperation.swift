import CairnObjects
import CairnTestSupport

/// A step of the model test. A number selects an object among the existing ones of its class, and all numbers wrap. Without such an object,
/// a step does nothing.
indirect enum ModelOperation: Sendable {
    case insert(ModelKind, Int), insertLinked(Int, Int, Int)
    case setNumber(ModelKind, Int, Int), setText(ModelKind, Int, Int), setCode(Int, Int?)
    case link(ModelProperty, Int, Int, Int), unlink(ModelProperty, Int, Int)
    case move(ModelProperty, Int, Int, Int), replace(ModelProperty, Int, [Int])
    case delete(ModelKind, Int)
    case name(Int, Int, Int), removeName(Int)
    case begin, end, undo, redo
    case save, rollback, refresh, reopen
    case hold(ModelKind, Int), letGo, look, lookAt(ModelProperty, Int), find(Int)
    /// Another context does this and saves, and then this one saves what it has changed.
    case other([ModelOperation])

    static func random(_ random: inout SeededGenerator) -> ModelOperation {
        switch random.int(in: 0..<100) {
        case 0..<58: change(&random)
        case 58..<61: .begin
        case 61..<64: .end
        case 64..<69: .undo
        case 69..<72: .redo
        case 72..<79: .save
        case 79..<81: .rollback
        case 81..<83: .refresh
        case 83: .reopen
        case 84..<87: .hold(kind(&random), random.int(in: 0..<8))
        case 87..<89: .letGo
        case 89..<91: .look
        case 91..<95: .lookAt(property(&random), random.int(in: 0..<8))
        case 95..<97: .find(random.int(in: 0..<12))
        default: .other((0..<random.int(in: 1..<4)).map { _ in change(&random) })
        }
    }

    /// Same, with many saves of others.
    static func randomWithOthers(_ generator: inout SeededGenerator) -> ModelOperation {
        generator.oneIn(5) ? .other((0..<generator.int(in: 1..<4)).map { _ in change(&generator) }) : random(&generator)
    }

    /// A change of the graph.
    private static func change(_ random: inout SeededGenerator) -> ModelOperation {
        let (one, two, place) = (random.int(in: 0..<8), random.int(in: 0..<8), random.int(in: 0..<8))
        return switch random.int(in: 0..<58) {
        case 0..<4: .insert(kind(&random), random.int(in: 0..<12))
        case 4..<9: .insertLinked(random.int(in: 0..<9), one, two)
        case 9..<14: .setNumber(kind(&random), one, random.int(in: 0..<12))
        case 14..<16: .setText(kind(&random), one, random.pick([0, 5, 900, 1500]))
        case 16..<18: .setCode(one, random.oneIn(3) ? nil : two)
        case 18..<34: .link(property(&random), one, two, place)
        case 34..<40: .unlink(property(&random), one, place)
        case 40..<43: .move(property(&random), one, two, place)
        case 43..<47: .replace(property(&random), one, (0..<random.int(in: 0..<5)).map { _ in random.int(in: 0..<8) })
        case 47..<53: .delete(kind(&random), one)
        case 53..<56: .name(random.int(in: 0..<4), one, two)
        default: .removeName(random.int(in: 0..<4))
        }
    }

    private static func kind(_ random: inout SeededGenerator) -> ModelKind { random.pick(ModelKind.allCases) }
    private static func property(_ random: inout SeededGenerator) -> ModelProperty { random.pick(ModelProperty.allCases) }

    /// Variants to be tried when a failure is shrunk.
    var simpler: [ModelOperation] {
        switch self {
        case .insertLinked(let variant, let one, let two) where one + two > 0: [.insertLinked(variant, 0, 0)]
        case .link(let property, let one, let two, let place) where one + two + place > 0:
            [.link(property, 0, 0, 0), .link(property, one, two, 0), .link(property, 0, two, place), .link(property, one, 0, place)]
        case .setText(let kind, let one, let size) where size > 5: [.setText(kind, one, 5)]
        case .replace(let property, let one, let targets) where !targets.isEmpty:
            targets.indices.map { index in
                var targets = targets
                targets.remove(at: index)
                return .replace(property, one, targets)
            }
        case .other(let steps) where steps.count > 1:
            steps.indices.map { index in
                var steps = steps
                steps.remove(at: index)
                return .other(steps)
            }
        default: []
        }
    }
}
