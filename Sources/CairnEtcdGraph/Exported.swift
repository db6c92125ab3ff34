// Object stores, and the engine that holds them: one import gives both.
@_exported public import CairnEtcdEngine
@_exported public import CairnGraph
