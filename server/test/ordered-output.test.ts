import { describe, expect, it } from 'vitest'
import { createOrderedOutput } from '../../scripts/ordered-output.ts'

describe('the output of programs that run at the same time', () => {
  it('is printed at once for the first one, and after its end for the second', () => {
    const printed: string[] = []
    const outputs = createOrderedOutput((text) => printed.push(text))
    const [first, second] = [outputs.open(), outputs.open()]
    second.write('b1')
    first.write('a1')
    expect(printed).toEqual(['a1'])
    second.write('b2')
    first.end()
    expect(printed).toEqual(['a1', 'b1', 'b2'])
    second.write('b3')
    expect(printed).toEqual(['a1', 'b1', 'b2', 'b3'])
  })

  it('of a program that ended before the first one is printed whole, before that of a third', () => {
    const printed: string[] = []
    const outputs = createOrderedOutput((text) => printed.push(text))
    const [first, second] = [outputs.open(), outputs.open()]
    second.write('b')
    second.end()
    const third = outputs.open()
    third.write('c')
    first.write('a')
    first.end()
    expect(printed).toEqual(['a', 'b', 'c'])
  })
})
