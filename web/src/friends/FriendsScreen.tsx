import type { UserId } from '@hither/contract/ids.ts'
import GroupsRounded from '@mui/icons-material/GroupsRounded'
import PersonAddAlt1Rounded from '@mui/icons-material/PersonAddAlt1Rounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Fab from '@mui/material/Fab'
import GlobalStyles from '@mui/material/GlobalStyles'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { t } from '../i18n/translate.ts'
import { Column } from '../ui/Column.tsx'
import { useTitle } from '../ui/use-title.ts'
import { type AddByLink, AddFriendDialog } from './AddFriendDialog.tsx'
import { FriendList } from './FriendList.tsx'
import { friendsQuery, receivedRequestsQuery, sentRequestsQuery } from './friends.api.ts'
import { ReceivedList } from './ReceivedList.tsx'
import { SentList } from './SentList.tsx'
import { TabLabel } from './TabLabel.tsx'

type TabName = 'friends' | 'received' | 'sent'

interface Props {
  /** Renders the pins of a friend in their profile. */
  renderPins: (userId: UserId) => ReactNode
  /** Buttons next to the heading. */
  actions?: ReactNode
  /** The other ways to add a friend, see `AddFriendDialog`. */
  links?: AddByLink | undefined
}

export function FriendsScreen({ renderPins, actions, links }: Props) {
  useTitle(t('friends.title'))
  const [search, setSearch] = useSearchParams()
  const [isAdding, setIsAdding] = useState(false)
  const { data: friends } = useQuery({ ...friendsQuery(), select: (all) => all.length })
  const { data: received } = useQuery({ ...receivedRequestsQuery(), select: (requests) => requests.length })
  const { data: sent } = useQuery({ ...sentRequestsQuery(), select: (requests) => requests.length })

  const wanted = search.get('tab')
  const tab: TabName = wanted === 'received' || wanted === 'sent' ? wanted : 'friends'

  function handleTab(_event: unknown, name: TabName) {
    setSearch(name === 'friends' ? {} : { tab: name }, { replace: true })
  }

  function handleAdd() {
    setIsAdding(true)
  }

  return (
    <Column>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minHeight: 44 }}>
        <Typography variant="h2" component="h1" sx={{ flex: 1 }}>
          {t('friends.title')}
        </Typography>
        {actions}
      </Box>
      <Tabs
        value={tab}
        onChange={handleTab}
        variant="scrollable"
        scrollButtons={false}
        aria-label={t('friends.title')}
        sx={{
          mt: 1.5,
          mb: 2.5,
          borderBottom: 1,
          borderColor: 'divider',
          // The tabs share the width. With large text they keep their words whole, and scroll.
          '& .MuiTab-root': { flex: '1 0 auto', px: 1, minWidth: 0, maxWidth: 'none', whiteSpace: 'nowrap' },
        }}
      >
        <Tab value="friends" label={t('friends.friends')} {...tabIds('friends')} />
        <Tab
          value="received"
          label={<TabLabel text={t('friends.received')} count={received ?? 0} isUrgent />}
          {...tabIds('received')}
        />
        <Tab value="sent" label={<TabLabel text={t('friends.sent')} count={sent ?? 0} />} {...tabIds('sent')} />
      </Tabs>
      <Box role="tabpanel" id={`friends-panel-${tab}`} aria-labelledby={`friends-tab-${tab}`}>
        {tab === 'friends' && (
          <>
            <Button
              component={Link}
              to="/friends/circles"
              startIcon={<GroupsRounded />}
              sx={{ mb: 1.5, marginInlineStart: -1 }}
            >
              {t('friends.circles')}
            </Button>
            <FriendList onAdd={handleAdd} renderPins={renderPins} />
          </>
        )}
        {tab === 'received' && <ReceivedList onAdd={handleAdd} />}
        {tab === 'sent' && <SentList onAdd={handleAdd} />}
      </Box>
      {/* An empty list has the same button. */}
      {{ friends, received, sent }[tab] !== 0 && (
        <>
          <GlobalStyles styles={{ ':root': { '--floating-button': '68px' } }} />
          <Fab
            variant="extended"
            color="primary"
            onClick={handleAdd}
            sx={{
              position: 'fixed',
              bottom: 'calc(var(--bottom-bar) + 16px)',
              insetInlineEnd: 'max(16px, var(--sar), calc((100vw - 720px) / 2 + 24px))',
              height: 52,
              gap: 1,
            }}
          >
            <PersonAddAlt1Rounded />
            {t('friends.addFriend')}
          </Fab>
        </>
      )}
      <AddFriendDialog open={isAdding} links={links} onClose={() => setIsAdding(false)} />
    </Column>
  )
}

function tabIds(name: TabName) {
  return { id: `friends-tab-${name}`, 'aria-controls': `friends-panel-${name}` }
}
