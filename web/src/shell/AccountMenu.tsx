import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import IconButton from '@mui/material/IconButton'
import { visuallyHidden } from '@mui/utils'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { useSignOut } from '../sign-out/use-sign-out.tsx'
import { lazyComponent } from '../ui/lazy.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'

const AccountMenuList = lazyComponent(async () => (await import('./AccountMenuList.tsx')).AccountMenuList)

export function AccountMenu({ user }: { user: User }) {
  const { signOut, question } = useSignOut()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const name = shownName(user) || user.email
  const close = () => setAnchor(null)

  function handleLogout() {
    close()
    signOut()
  }

  return (
    <>
      <IconButton
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <UserAvatar userId={user.id} name={name} hasImage={user.has_image} size={34} />
        <span style={visuallyHidden}>{t('shell.accountMenu')}</span>
      </IconButton>
      <AccountMenuList open={anchor !== null} anchor={anchor} onLogout={handleLogout} onClose={close} />
      {question}
    </>
  )
}
