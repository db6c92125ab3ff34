package import CairnGraph

extension ObjectCatalog.Property {
    /// Its type, for people.
    package var phrase: String {
        guard let relationship else { return type?.phrase ?? typeText }
        let target = relationship.target ?? "any class"
        let shape = relationship.shape == .one ? target : "\(relationship.shape.rawValue) of \(target)"
        return shape + (relationship.inverse.map { ", inverse \($0)" } ?? "") + (relationship.isDerived ? ", derived" : "")
    }
}
