import { useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readFriendCode, storeFriendCode } from '../session/friend-code.ts'
import { codeOf } from './friend-link.rules.ts'

/**
 * Returns the code of the friend link in the address, or the one that this tab has stored; null if the link is
 * malformed or there is none. Removes the code from the address, so that no history entry contains it.
 */
export function useOpenedCode(): string | null {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [code, setCode] = useState(() => (hash === '' ? readFriendCode() : codeOf(hash.slice(1))))

  useLayoutEffect(() => {
    if (hash === '') return
    const opened = codeOf(hash.slice(1))
    if (opened !== null) storeFriendCode(opened)
    setCode(opened)
    void navigate('/add', { replace: true })
  }, [hash, navigate])

  return code
}
