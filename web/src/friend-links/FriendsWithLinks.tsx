import type { UserId } from '@hither/contract/ids.ts'
import LinkRounded from '@mui/icons-material/LinkRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import QrCode2Rounded from '@mui/icons-material/QrCode2Rounded'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { clientConfigQuery } from '../api/client-config.ts'
import type { AddByLink } from '../friends/AddFriendDialog.tsx'
import { FriendsScreen } from '../friends/FriendsScreen.tsx'
import { t } from '../i18n/translate.ts'
import { lazyComponent } from '../ui/lazy.tsx'
import { Menu } from '../ui/overlays/Menu.tsx'
import { useOpenLink } from './use-open-link.ts'

const CodeSheet = lazyComponent(async () => (await import('./code/CodeSheet.tsx')).CodeSheet)
const LinkDialog = lazyComponent(async () => (await import('./LinkDialog.tsx')).LinkDialog)

/** The Friends screen with friend links. Servers of earlier versions have none. */
export function FriendsWithLinks({ renderPins }: { renderPins: (userId: UserId) => ReactNode }) {
  const hasLinks = useQuery(clientConfigQuery()).data?.features.friend_links === true
  const [opened, setOpened] = useState<'code' | 'link' | null>(null)
  const openLink = useOpenLink()
  if (!hasLinks) return <FriendsScreen renderPins={renderPins} />

  const links: AddByLink = {
    open: openLink,
    share: { label: t('friend-links.link.shareLink'), onShare: () => setOpened('link') },
  }
  return (
    <>
      <FriendsScreen renderPins={renderPins} actions={<Actions onCode={() => setOpened('code')} />} links={links} />
      <CodeSheet open={opened === 'code'} onShareLink={() => setOpened('link')} onClose={() => setOpened(null)} />
      <LinkDialog open={opened === 'link'} onClose={() => setOpened(null)} />
    </>
  )
}

function Actions({ onCode }: { onCode: () => void }) {
  const navigate = useNavigate()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton title={t('friend-links.code.myCode')} onClick={onCode}>
        <QrCode2Rounded />
      </IconButton>
      <IconButton
        title={t('friend-links.more')}
        edge="end"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => void navigate('/friends/links')}>
          <ListItemIcon>
            <LinkRounded fontSize="small" />
          </ListItemIcon>
          {t('friend-links.list.title')}
        </MenuItem>
      </Menu>
    </>
  )
}
