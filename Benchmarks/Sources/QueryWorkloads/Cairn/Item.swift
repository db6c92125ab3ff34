import CairnObjects
import Foundation

@Stored(indexes: [["kind", "price"]])
final class Item {
    @Indexed var number: Int
    @Indexed var group: Int
    var kind: Int
    var price: Int
    var title: String
    @Indexed var created: Date
    @Indexed var reviewed: Date?
    @Relationship var owner: Owner?
    @Relationship var tags: ObjectSet<Tag>
}

@Stored final class Owner {
    @Indexed var name: String
    @Relationship(inverse: \Item.owner) var items: ObjectSet<Item>
    /// By year.
    @Relationship var best: ObjectDictionary<Int, Item>
}

@Stored final class Tag {
    @Indexed var name: String
    @Relationship(inverse: \Item.tags) var items: ObjectSet<Item>
}
