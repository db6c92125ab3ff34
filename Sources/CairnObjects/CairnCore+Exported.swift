@_exported public import CairnCore
