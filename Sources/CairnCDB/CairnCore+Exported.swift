// Codecs, durability, key lists and error parts are part of this module's API: one import provides all of it.
@_exported public import CairnCore
