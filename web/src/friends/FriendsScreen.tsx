import PersonAddAlt1Rounded from '@mui/icons-material/PersonAddAlt1Rounded'
import Box from '@mui/material/Box'
import Fab from '@mui/material/Fab'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Column } from '../ui/Column.tsx'
import { useTitle } from '../ui/use-title.ts'
import { AddFriendDialog } from './AddFriendDialog.tsx'
import { FriendList } from './FriendList.tsx'
import { receivedRequestsQuery, sentRequestsQuery } from './friends.api.ts'
import { ReceivedList } from './ReceivedList.tsx'
import { SentList } from './SentList.tsx'
import { friendStrings } from './strings.ts'
import { TabLabel } from './TabLabel.tsx'

const lists = { friends: FriendList, received: ReceivedList, sent: SentList } as const
type TabName = keyof typeof lists

export function FriendsScreen() {
  useTitle(friendStrings.title)
  const [search, setSearch] = useSearchParams()
  const [isAdding, setIsAdding] = useState(false)
  const { data: received = 0 } = useQuery({ ...receivedRequestsQuery(), select: (requests) => requests.length })
  const { data: sent = 0 } = useQuery({ ...sentRequestsQuery(), select: (requests) => requests.length })

  const wanted = search.get('tab')
  const tab: TabName = wanted === 'received' || wanted === 'sent' ? wanted : 'friends'
  const List = lists[tab]

  function handleTab(_event: unknown, name: TabName) {
    setSearch(name === 'friends' ? {} : { tab: name }, { replace: true })
  }

  return (
    <Column>
      <Typography variant="h2" component="h1">
        {friendStrings.title}
      </Typography>
      <Tabs
        value={tab}
        onChange={handleTab}
        variant="fullWidth"
        aria-label={friendStrings.title}
        sx={{ mt: 1.5, mb: 2.5, borderBottom: 1, borderColor: 'divider' }}
      >
        <Tab value="friends" label={friendStrings.friends} {...tabIds('friends')} />
        <Tab
          value="received"
          label={<TabLabel text={friendStrings.received} count={received} isUrgent />}
          {...tabIds('received')}
        />
        <Tab value="sent" label={<TabLabel text={friendStrings.sent} count={sent} />} {...tabIds('sent')} />
      </Tabs>
      <Box role="tabpanel" id={`friends-panel-${tab}`} aria-labelledby={`friends-tab-${tab}`}>
        <List onAdd={() => setIsAdding(true)} />
      </Box>
      <Fab
        variant="extended"
        color="primary"
        onClick={() => setIsAdding(true)}
        sx={{
          position: 'fixed',
          bottom: 'calc(var(--bottom-bar) + 16px)',
          right: 'max(16px, var(--sar), calc((100vw - 720px) / 2 + 24px))',
          height: 52,
          gap: 1,
        }}
      >
        <PersonAddAlt1Rounded />
        {friendStrings.addFriend}
      </Fab>
      <AddFriendDialog open={isAdding} onClose={() => setIsAdding(false)} />
    </Column>
  )
}

function tabIds(name: TabName) {
  return { id: `friends-tab-${name}`, 'aria-controls': `friends-panel-${name}` }
}
