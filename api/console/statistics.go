package console

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"interai/store"
)

// statisticsView is the page of figures.
type statisticsView struct {
	frame

	Open, Appealed, Decided                                        int
	WaitingMedian, WaitingLongest, ToDecisionMedian, ToDecisionP90 string
	Rules                                                          []ruleView
	Parties                                                        []partyRow
}

// ruleView is how often a rule was right. Width is the length of its bar, "" while nothing was decided.
type ruleView struct {
	Rule, About, Address, Width, Share string
	Cases, Right, Decided              int
}

// partyRow is how many cases a party has.
type partyRow struct {
	ID, Name, Address string
	Cases, Open       int
}

func (s *Console) statisticsPage(c *gin.Context) {
	started, v := s.now(), visitorOf(c)
	figures, err := s.queue.Statistics(c.Request.Context())
	if err != nil {
		s.fail(c, err)
		return
	}
	view := s.statisticsViewOf(&figures)
	view.frame = s.frame(c, "Statistics")
	view.Here = "statistics"
	s.record(c, v.moderator.Actor, "console.statistics", nil, "", "", started)
	s.render(c, http.StatusOK, "statistics.html", view)
}

func (s *Console) statisticsViewOf(figures *store.CaseStatistics) statisticsView {
	view := statisticsView{
		Open: figures.Open, Appealed: figures.Appealed, Decided: figures.DecidedIn30Days,
		WaitingMedian: "nothing waits", WaitingLongest: "nothing waits", ToDecisionMedian: "none yet", ToDecisionP90: "none yet",
	}
	if figures.Open > 0 {
		view.WaitingMedian, view.WaitingLongest = span(figures.WaitingMedian), span(figures.WaitingLongest)
	}
	if figures.DecidedIn30Days > 0 {
		view.ToDecisionMedian, view.ToDecisionP90 = span(figures.ToDecisionMedian), span(figures.ToDecisionP90)
	}
	for _, r := range figures.Rules {
		row := ruleView{
			Rule: r.Rule, About: s.rules[r.Rule], Cases: r.Cases, Right: r.Right, Decided: r.Right + r.Wrong,
			Address: filter{State: store.CasesAll, Rule: r.Rule}.address(Path),
		}
		if share, known := r.Precision(); known {
			row.Width, row.Share = fmt.Sprintf("%.1f%%", 100*share), fmt.Sprintf("%.0f %%", 100*share)
		}
		view.Rules = append(view.Rules, row)
	}
	for _, p := range figures.Parties {
		view.Parties = append(view.Parties, partyRow{
			ID: p.Party.String(), Name: oneLine(p.Name), Cases: p.Cases, Open: p.Open,
			Address: filter{State: store.CasesAll, Party: p.Party.String()}.address(Path),
		})
	}
	return view
}
