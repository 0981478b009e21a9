// Forms of code that the house style does not have; eslint.config.js says where each holds.

export const passedIn =
  'comes in as a parameter, so that tests decide it; src/compose hands it out.'

export const classSyntax = {
  selector: ':matches(ClassDeclaration, ClassExpression)',
  message: 'Functions, not classes; a lifetime is entered in `classes` of eslint.config.js.',
}

export const clockSyntax = {
  selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
  message: `The clock ${passedIn}`,
}

/** Callbacks and methods are left alone: a library that calls them decides what they get. */
const ownFunctions =
  ':matches(FunctionDeclaration, VariableDeclarator > ArrowFunctionExpression)[params.length>3]'

export const parameterSyntax = {
  selector: ownFunctions,
  message: 'Three parameters at most, then an object: a call with four cannot be read.',
}

export const styleSyntax = [
  parameterSyntax,
  {
    selector: ':not(TSModuleBlock) > TSInterfaceDeclaration',
    message: 'A `type`; an interface only where it extends the one of a library.',
  },
  {
    selector:
      'FunctionDeclaration > Identifier.params[typeAnnotation.typeAnnotation.type="TSBooleanKeyword"]',
    message:
      'No boolean parameters: a call cannot say what `true` means. Take a word or two functions.',
  },
  {
    selector: 'CatchClause > BlockStatement > ReturnStatement > Literal[raw="null"]',
    message: 'A catch that returns null hides the fault: translate it, or let it pass.',
  },
]

export const focusSyntax = {
  selector:
    'CallExpression > MemberExpression[object.name=/^(it|test|describe)$/][property.name="only"]',
  message: 'A focused test silences all others.',
}
