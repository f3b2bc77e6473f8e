import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * The token of the link that opened the screen; empty if it has none. It is removed from the address, so that neither the history
 * nor a reload has it. Links of earlier mails have it in the query.
 */
export function useLinkToken(): string {
  const { pathname, hash, search } = useLocation()
  const navigate = useNavigate()
  const found = tokenIn(hash.slice(1)) || tokenIn(search)
  const [token, setToken] = useState(found)

  useEffect(() => {
    if (found === '') return
    setToken(found)
    void navigate(pathname, { replace: true })
  }, [found, pathname, navigate])

  return token
}

function tokenIn(parameters: string): string {
  return new URLSearchParams(parameters).get('token') ?? ''
}
