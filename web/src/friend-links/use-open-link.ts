import { useNavigate } from 'react-router'
import { serverOrigin } from '../api/base-address.ts'
import { t } from '../i18n/translate.ts'
import { storeFriendCode } from '../session/friend-code.ts'
import { readFriendLink } from './friend-link.rules.ts'

type Outcome = 'opened' | { problem: string } | undefined

/**
 * Returns a function that opens a scanned or pasted friend link of this server. The code is passed through the storage
 * of the tab, so that no history entry contains it. Other texts are not opened; see `readFriendLink`.
 */
export function useOpenLink(): (text: string) => Outcome {
  const navigate = useNavigate()
  return (text) => {
    const link = readFriendLink(text, serverOrigin())
    if (link.kind === 'other') return undefined
    if (link.kind === 'foreign') return { problem: t('friend-links.scan.foreign', { host: link.host }) }
    storeFriendCode(link.code)
    void navigate('/add')
    return 'opened'
  }
}
